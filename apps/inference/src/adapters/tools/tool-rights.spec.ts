import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpServerConfig } from '@parlance/config';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { McpTools } from '@parlance/tools/mcp';
import { mcpServer, type TestMcpServer } from '@parlance/tools/test-server';
import type { ToolOfBot } from '../from-bot.ts';
import { Toolbox } from './toolbox.ts';

/** Ann and Cid are in the group of some servers, Bob is not. Ann and Bob have connected accounts. */
const USERS = ['ann', 'bob', 'cid'] as const;
const MEMBERS: readonly (string | null)[] = ['ann', 'cid'];
const CONNECTED: readonly string[] = ['ann', 'bob'];
const APPROVALS = ['never', 'writes', 'always'] as const;
type Approval = (typeof APPROVALS)[number];

interface Case {
  readonly userId: string;
  readonly ownerId: string | null;
  readonly configuredBy: string | null;
  readonly apiId?: string;
}

const cases: readonly Case[] = USERS.flatMap((userId) =>
  [...USERS, null].flatMap((ownerId) =>
    [...USERS, null].flatMap((configuredBy) => [
      { userId, ownerId, configuredBy },
      { userId, ownerId, configuredBy, apiId: 'api' },
    ]),
  ),
);
const servers = [false, true].flatMap((isForGroup) =>
  [false, true].map((hasAccounts) => ({ name: `s${Number(isForGroup)}${Number(hasAccounts)}`, isForGroup, hasAccounts })),
);
/** All servers have tools of the same names. */
const TOOLS = ['create', 'read'] as const;

/** The rights that the documentation promises, written independently of the code. */
function promised(
  { isForGroup, hasAccounts }: (typeof servers)[number],
  { userId, ownerId, configuredBy, apiId }: Case,
  tool: (typeof TOOLS)[number],
  approval: Approval,
): 'absent' | 'to connect' | 'asked' | 'unasked' {
  if (apiId !== undefined && (isForGroup || hasAccounts)) return 'absent';
  if (isForGroup && !(MEMBERS.includes(userId) && MEMBERS.includes(ownerId))) return 'absent';
  if (hasAccounts && !CONNECTED.includes(userId)) return 'to connect';
  if (approval === 'always') return 'asked';
  if (tool === 'read') return 'unasked';
  if (approval === 'writes') return 'asked';
  const mayAllow = (!isForGroup || MEMBERS.includes(configuredBy)) && (!hasAccounts || configuredBy === userId);
  return mayAllow ? 'unasked' : 'asked';
}

describe('the right to call a tool', () => {
  let there: TestMcpServer;
  let tools: McpTools;
  let toolbox: Toolbox;

  beforeAll(async () => {
    there = await mcpServer(TOOLS.map((name) => ({ name, annotations: { readOnlyHint: name === 'read' } })));
    tools = new McpTools({
      servers: Object.fromEntries(
        servers.map(({ name, isForGroup, hasAccounts }) => [
          name,
          Object.assign(new McpServerConfig(), {
            url: there.url,
            allowed_tools: TOOLS,
            groups: isForGroup ? ['Research'] : [],
            auth: hasAccounts ? 'oauth' : 'none',
          }),
        ]),
      ),
      fetch: new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] }),
      credentials: {
        token: async (_: string, userId: string) => (CONNECTED.includes(userId) ? `token of ${userId}` : null),
        renewed: async () => null,
      },
      groupsOf: async (userId) => (MEMBERS.includes(userId) ? ['Research'] : []),
      leftOut: (server, reason) => {
        throw new Error(`the tools of ${server} were left out`, { cause: reason });
      },
    });
    toolbox = new Toolbox([tools], (error) => {
      throw error;
    });
  });
  afterAll(async () => {
    await tools.close();
    await there.stop();
  });

  it.each([
    [
      'each by its name',
      (approval: Approval) => servers.flatMap(({ name }) => TOOLS.map((tool) => ({ name: `${name}__${tool}`, approval }))),
    ],
    ['all of a server', (approval: Approval) => servers.map(({ name }) => ({ name: `${name}__*`, approval }))],
    [
      'all of a server without asking, and each by its name',
      (approval: Approval) =>
        servers.flatMap(({ name }): ToolOfBot[] => [
          { name: `${name}__*`, approval: 'never' },
          ...TOOLS.map((tool) => ({ name: `${name}__${tool}`, approval })),
        ]),
    ],
  ])('is as promised for every user, owner, editor, server and approval, where a bot names %s', async (_, named) => {
    const wrong: unknown[] = [];
    let decided = 0;
    for (const approval of APPROVALS)
      for (const each of cases) {
        const offered = await toolbox.offered(named(approval), each, new AbortController().signal);
        for (const server of servers)
          for (const tool of TOOLS) {
            const found = offered.get(`${server.name}__${tool}`);
            const isToConnect = found?.tool.definition.description.includes('has not connected yet') === true;
            const is = found === undefined ? 'absent' : isToConnect ? 'to connect' : found.needsApproval ? 'asked' : 'unasked';
            const expected = promised(server, each, tool, approval);
            decided += 1;
            if (is !== expected) wrong.push({ ...each, server: server.name, tool, approval, is, expected });
          }
      }
    expect(wrong).toEqual([]);
    expect(decided).toBe(APPROVALS.length * cases.length * servers.length * TOOLS.length);
  });

  it('reaches a server only with the account of its user', () => {
    const accounts = new Set(there.headers.map(({ authorization }) => authorization));
    expect(accounts).toEqual(new Set([undefined, 'Bearer token of ann', 'Bearer token of bob']));
  });
});
