import { afterEach, describe, expect, it } from '@jest/globals';
import { mcpServer, type ServedTool, type TestMcpServer } from '../../test/mcp-server.ts';
import type { ToolUser } from '../tool.ts';
import { called, credentials, mcpToolsOf, never, user } from '../../test/mcp-tools-of.ts';

const search: ServedTool = {
  name: 'search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  annotations: { readOnlyHint: true },
};
const remove: ServedTool = { name: 'remove', description: 'Removes.', annotations: { destructiveHint: true } };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serving(tools: readonly ServedTool[], revision?: '2025' | '2026'): Promise<TestMcpServer> {
  const server = await mcpServer(tools, revision);
  ends.push(() => server.stop());
  return server;
}

function toolsOf(...args: Parameters<typeof mcpToolsOf>) {
  const opened = mcpToolsOf(...args);
  ends.unshift(() => opened.tools.close());
  return opened;
}

describe.each(['2025', '2026'] as const)('a server of revision %s', (revision) => {
  it('has only its allowed tools called', async () => {
    const server = await serving([search, remove], revision);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search', 'missing'] });
    const found = await tools.find(['docs__search', 'docs__remove', 'docs__missing', 'other__search'], user('ann'), never());
    expect(found.map(({ definition }) => definition)).toEqual([
      { name: 'docs__search', description: 'Searches.', inputSchema: expect.objectContaining({ required: ['q'] }) },
    ]);
    expect(await called(found[0], { q: 'cats' })).toEqual({ text: 'search {"q":"cats"}', isError: false });
    expect(server.asked.filter((each) => each.startsWith('call'))).toEqual(['call search']);
  });

  it('gives the model the reason for refusing an input', async () => {
    const server = await serving([search], revision);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'] });
    const [tool] = await tools.find(['docs__*'], user('ann'), never());
    expect(await called(tool, {})).toEqual({ text: expect.stringContaining('q'), isError: true });
    expect(await called(tool, ['q'])).toEqual({ text: expect.stringContaining('must be a JSON object'), isError: true });
  });
});

describe('the tools of a server', () => {
  it('are none without an allowlist', async () => {
    const server = await serving([search]);
    const { tools } = toolsOf({ url: server.url });
    expect(await tools.find(['docs__*', 'docs__search'], user('ann'), never())).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it('count as writing, unless the server or the configuration says otherwise', async () => {
    const server = await serving([search, remove, { name: 'plain' }]);
    const config = { url: server.url, allowed_tools: ['search', 'remove', 'plain'] };
    const writing = async (more: object) =>
      (await toolsOf({ ...config, ...more }).tools.find(['docs__*'], user('ann'), never())).map(({ writes }) => writes);
    expect(await writing({})).toEqual([false, true, true]);
    expect(await writing({ writes: ['search'] })).toEqual([true, false, false]);
  });

  it('are read once every few minutes for all users, and listed without a request', async () => {
    const server = await serving([search]);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'] });
    await Promise.all(['ann', 'bob'].map((each) => tools.find(['docs__*'], user(each), never())));
    await tools.find(['docs__*'], user('cid'), never());
    expect(server.asked.filter((each) => each === 'tools/list')).toHaveLength(1);
    const asked = server.asked.length;
    expect(await tools.list('ann')).toEqual([{ name: 'docs__search', description: 'The tool search of docs.', writes: true }]);
    expect(server.asked).toHaveLength(asked);
  });

  it('are available to the configured groups only', async () => {
    const server = await serving([search]);
    const groupsOf = async (userId: string) => (userId === 'ann' ? ['Research'] : []);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'], groups: ['Research'] }, { groupsOf });
    expect(await tools.find(['docs__*'], user('bob'), never())).toEqual([]);
    expect(await tools.list('bob')).toEqual([]);
    expect(server.asked).toEqual([]);
    expect(await tools.find(['docs__*'], user('ann'), never())).toHaveLength(1);
  });

  it.each<[string, object, Partial<ToolUser>, string]>([
    ['without approval when their user has configured the bot', { auth: 'oauth' }, { ownerId: 'bob' }, 'unasked'],
    ['with approval when another user has configured the bot', { auth: 'oauth' }, { configuredBy: 'bob' }, 'asked'],
    ['with approval when the user who configured the bot is unknown', { auth: 'oauth' }, { configuredBy: null }, 'asked'],
    ['without approval for the members of their group', { groups: ['Research'] }, { ownerId: 'cid', configuredBy: 'cid' }, 'unasked'],
    ['with approval when a user outside their group has configured the bot', { groups: ['Research'] }, { configuredBy: 'bob' }, 'asked'],
    ['left out in the bot of a user outside their group', { groups: ['Research'] }, { ownerId: 'bob', configuredBy: 'bob' }, 'absent'],
    ['left out when the owner of the bot is unknown', { groups: ['Research'] }, { ownerId: null, configuredBy: null }, 'absent'],
    ['without approval in any bot when they need neither account nor group', {}, { ownerId: 'bob', configuredBy: 'bob' }, 'unasked'],
  ])('are %s', async (_, config, bot, expected) => {
    const server = await serving([remove]);
    const groupsOf = async (userId: string) => (userId === 'bob' ? [] : ['Research']);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['remove'], ...config }, { groupsOf });
    credentials.tokens.set('docs ann', 'token');
    const [tool] = await tools.find(['docs__*'], user('ann', bot), never());
    expect(tool === undefined ? 'absent' : tool.mayGoUnasked ? 'unasked' : 'asked').toBe(expected);
  });

  it('are left out for programs if they need an account or a group', async () => {
    const server = await serving([search]);
    const groupsOf = async () => ['Research'];
    const forProgram = async (more: object) =>
      toolsOf({ url: server.url, allowed_tools: ['search'], ...more }, { groupsOf }).tools.find(
        ['docs__*'],
        user('ann', { apiId: 'api-1' }),
        never(),
      );
    expect(await forProgram({ auth: 'oauth' })).toEqual([]);
    expect(await forProgram({ groups: ['Research'] })).toEqual([]);
    expect(server.asked).toEqual([]);
    expect(await forProgram({})).toHaveLength(1);
  });

  it('are called with the configured key and headers', async () => {
    const server = await serving([search]);
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'], api_key: 'k-1', headers: { 'x-team': 'a' } });
    await tools.find(['docs__*'], user('ann'), never());
    expect(server.headers).not.toEqual([]);
    for (const headers of server.headers) expect(headers).toMatchObject({ authorization: 'Bearer k-1', 'x-team': 'a' });
  });
});

describe('a session', () => {
  it('belongs to one user, is reused, and is ended at the server', async () => {
    const server = await serving([search], '2025');
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'] });
    for (const userId of ['ann', 'bob', 'ann']) {
      const [tool] = await tools.find(['docs__*'], user(userId), never());
      await called(tool, { q: 'x' }, { userId });
    }
    expect(server.sessions.size).toBe(2);
    await tools.close();
    expect(server.sessions.size).toBe(0);
  });

  it('of a program is separate from the sessions of the user who pays', async () => {
    const server = await serving([search], '2025');
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'] });
    const [own] = await tools.find(['docs__*'], user('ann'), never());
    await called(own, { q: 'x' }, { userId: 'ann' });
    const [tool] = await tools.find(['docs__*'], user('ann', { apiId: 'api-1' }), never());
    await called(tool, { q: 'x' }, { userId: 'ann', apiId: 'api-1' });
    expect(server.sessions.size).toBe(2);
  });

  it('is started again when the server no longer knows it', async () => {
    const server = await serving([search], '2025');
    const { tools } = toolsOf({ url: server.url, allowed_tools: ['search'] });
    const [tool] = await tools.find(['docs__*'], user('ann'), never());
    server.sessions.clear();
    expect(await called(tool, { q: 'x' })).toEqual({ text: 'search {"q":"x"}', isError: false });
    expect(server.asked.filter((each) => each === 'initialize')).toHaveLength(2);
  });
});
