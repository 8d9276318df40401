import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { IndexMissing, KnowledgeIndexes } from '@parlance/retrieval';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const USED = 'parlance.bots.embedding-used.v1';
const [ann, ben] = [newId(), newId()];

describe('the tokens of an embedding model of a provider', () => {
  let bots: BotsUnderTest;
  let knowledge: KnowledgeUnderTest;
  let provider: Server;
  /** The number of tokens that the provider reports. */
  let reported = 0;

  const uses = async (botId: string): Promise<{ user_id: string; input_tokens: number }[]> => {
    const { events } = await bots.service.host.published.of('bots').then((log) => log!.after(0));
    return events
      .filter(({ type, data }) => type === USED && (data as { bot_id: string }).bot_id === botId)
      .map(({ data }) => data as never);
  };
  const sum = (all: readonly { input_tokens: number }[]) => all.reduce((tokens, { input_tokens }) => tokens + input_tokens, 0);

  beforeAll(async () => {
    provider = createServer((request, response) => {
      void json(request).then((body) => {
        const { input } = body as { input: string[] };
        const tokens = input.join(' ').length;
        reported += tokens;
        const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length + 1, 1, 2] }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: tokens, total_tokens: tokens } }));
      });
    });
    await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
    const models = {
      extends: 'builtin',
      providers: { ours: { type: 'openai_compatible', base_url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` } },
      models: [{ id: 'ours-small', provider: 'ours', model: 'small', context_window: 512 }],
      defaults: { embedding: 'ours-small' },
    };
    bots = await BotsUnderTest.start({ PARLANCE_MODELS: JSON.stringify(models) });
    knowledge = new KnowledgeUnderTest(bots);
  });
  afterAll(async () => {
    await bots.stop();
    provider.closeAllConnections();
    provider.close();
  });

  it('are published for the owner of the bot, including all that the provider reported for a run', async () => {
    const botId = await knowledge.botWith(ann, { 'ships.txt': 'The ferry leaves at noon.', 'dogs.txt': 'Dogs are welcome.' });
    const used = await uses(botId);
    expect(new Set(used.map(({ user_id }) => user_id))).toEqual(new Set([ann]));
    expect(used[0]).toMatchObject({ model: 'ours-small', estimated: false, use_id: expect.any(String) });
    expect([sum(used) > 0, sum(used)]).toEqual([true, reported]);
  });
  it('are published for the user who tries a search', async () => {
    const botId = await knowledge.botWith(ann, { 'ships.txt': 'The ferry leaves at noon.' });
    const [of, before] = [sum(await uses(botId)), reported];
    expect((await knowledge.search(ann, botId, 'When?')).body).not.toHaveProperty('embedding');
    expect([reported - before, sum(await uses(botId)) - of]).toEqual([5, 5]);
  });
  it('are returned to the service that requests a reply, which charges them', async () => {
    const botId = await knowledge.botWith(ann, { 'ships.txt': 'The ferry leaves at noon.' });
    const before = await uses(botId);
    const { body } = await knowledge.retrieve(ann, botId, 'When?');
    expect(body).toMatchObject({ embedding: { model: 'ours-small', tokens: 5, estimated: false }, chunks: [{}] });
    expect(await uses(botId)).toEqual(before);
  });
  it('are published for the user whose search fails afterwards', async () => {
    const botId = await knowledge.botWith(ann, { 'ships.txt': 'The ferry leaves at noon.' });
    const of = sum(await uses(botId));
    await bots.ask('PATCH', `/bot/${botId}/visibility`, bots.service.as(ann), { target_shared_scope: 'all' });
    const search = jest.spyOn(bots.app.get(KnowledgeIndexes), 'search').mockRejectedValue(new IndexMissing({ botId, generation: 'g' }));
    try {
      expect((await knowledge.retrieve(ben, botId, 'When?')).body.code).toBe('knowledge_unavailable');
    } finally {
      search.mockRestore();
    }
    const used = await uses(botId);
    expect([sum(used) - of, used.at(-1)!.user_id]).toEqual([5, ben]);
  });
});
