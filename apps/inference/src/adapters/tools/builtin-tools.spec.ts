import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import type { Logger } from 'pino';
import type { BotKnowledge } from '../bot-knowledge.ts';
import { BuiltinTools } from './builtin-tools.ts';

const namesWith = async (internetSearch: Config['internetSearch']) => {
  const tools = new BuiltinTools(
    {} as BotKnowledge,
    { internetSearch, fetchAllowedPrivateRanges: [] as readonly string[] } as Config,
    {} as Logger,
  );
  const names = (await tools.list()).map(({ name }) => name);
  expect((await tools.find([...names, 'other'])).map(({ definition }) => definition.name)).toEqual(names);
  await tools.onModuleDestroy();
  return names;
};

describe('the built-in tools', () => {
  it('search the internet only if a service is configured', async () => {
    const search = { type: 'searxng', url: 'https://search.example.org', api_key: null, max_results: 8, timeout_seconds: 10 } as const;
    expect(await namesWith(null)).toEqual(['calculator', 'knowledge_search']);
    expect(await namesWith(search)).toEqual(['calculator', 'knowledge_search', 'internet_search']);
  });
});
