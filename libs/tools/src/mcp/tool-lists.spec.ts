import { describe, expect, it } from '@jest/globals';
import type { McpServerConfig } from '@parlance/config';
import { LIST_MILLIS, MOST_LISTS } from './limits.ts';
import type { McpServer } from './mcp-session.ts';
import type { McpSessions } from './mcp-sessions.ts';
import { ToolLists } from './tool-lists.ts';

const server = (auth: 'none' | 'oauth', name = 'docs'): McpServer => ({
  name,
  config: { auth, allowed_tools: ['find'] } as unknown as McpServerConfig,
});
const [open, personal] = [server('none'), server('oauth')];

/** Lists whose tools are named after the user who asked. The next request fails if `fails` is set. */
function opened() {
  const world = { now: 0, asked: 0, fails: false };
  const sessions = {
    use: async (_: McpServer, userId: string) => {
      world.asked += 1;
      if (world.fails) throw new Error('the server does not answer');
      return [{ name: `tool of ${userId}`, inputSchema: { type: 'object' } }];
    },
  } as unknown as McpSessions;
  const lists = new ToolLists(sessions, 1_000, () => world.now);
  const namesFor = async (of: McpServer, userId: string) => (await lists.of(of, userId)).map(({ name }) => name);
  return { world, lists, namesFor };
}

describe('the tools that a server has', () => {
  it('are read once for all users', async () => {
    const { world, namesFor } = opened();
    await Promise.all([namesFor(open, 'ann'), namesFor(open, 'ben')]);
    expect(world.asked).toBe(1);
  });
  it('are read for each user if users have accounts', async () => {
    const { namesFor } = opened();
    expect([await namesFor(personal, 'ann'), await namesFor(personal, 'ben')]).toEqual([['tool of ann'], ['tool of ben']]);
  });
  it('are read again after a few minutes', async () => {
    const { world, namesFor } = opened();
    await namesFor(open, 'ann');
    world.now = LIST_MILLIS - 1;
    await namesFor(open, 'ann');
    const before = world.asked;
    world.now = LIST_MILLIS;
    await namesFor(open, 'ann');
    expect([before, world.asked]).toEqual([1, 2]);
  });
  it('are read again after an error', async () => {
    const { world, namesFor } = opened();
    world.fails = true;
    await expect(namesFor(open, 'ann')).rejects.toThrow('the server does not answer');
    world.fails = false;
    expect(await namesFor(open, 'ann')).toEqual(['tool of ann']);
  });
  it('are forgotten with the account of the user, and not for other users', async () => {
    const { world, lists, namesFor } = opened();
    await namesFor(personal, 'ann');
    await namesFor(personal, 'ben');
    lists.forget(personal.name, 'ann');
    await namesFor(personal, 'ben');
    const before = world.asked;
    await namesFor(personal, 'ann');
    expect([before, world.asked]).toEqual([2, 3]);
  });
  it('are cached for a bounded number of users, and read again for the least recent one', async () => {
    const { world, namesFor } = opened();
    for (let user = 0; user <= MOST_LISTS; user++) await namesFor(personal, `user ${user}`);
    await namesFor(personal, `user 1`);
    const before = world.asked;
    await namesFor(personal, 'user 0');
    expect(world.asked - before).toBe(1);
  });
});
