import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpServerConfig } from '@parlance/config';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { waitFor } from '@parlance/testing';
import { mcpServer, type TestMcpServer } from '../../test/mcp-server.ts';
import { credentials, never } from '../../test/mcp-tools-of.ts';
import type { McpServer } from './mcp-session.ts';
import { McpSessions, TooManySessions } from './mcp-sessions.ts';

describe('the sessions of a process', () => {
  let testServer: TestMcpServer;
  let server: McpServer;
  let sessions: McpSessions;
  const parts = { fetch: new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] }), credentials };
  const use = (userId: string, work: () => Promise<unknown> = async () => undefined) => sessions.use(server, userId, never(), work);

  beforeEach(async () => {
    testServer = await mcpServer([{ name: 'plain' }], '2025');
    server = { name: 'docs', config: Object.assign(new McpServerConfig(), { url: testServer.url }) };
  });
  afterEach(async () => {
    await sessions.close();
    await testServer.stop();
  });

  it('are bounded: a new session ends the least recently used one', async () => {
    sessions = new McpSessions(parts, 2_000, 2);
    for (const userId of ['ann', 'ben', 'ann', 'cid']) await use(userId);
    await waitFor(() => testServer.sessions.size === 2, { what: 'the end of a session' });
    const opened = testServer.asked.filter((each) => each === 'initialize').length;
    await use('ann');
    expect(testServer.asked.filter((each) => each === 'initialize')).toHaveLength(opened);
    expect(sessions.size).toBe(2);
  });

  it('are refused when all are in use', async () => {
    sessions = new McpSessions(parts, 2_000, 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const working = use('ann', () => promise);
    await expect(use('ben')).rejects.toBeInstanceOf(TooManySessions);
    resolve();
    await working;
    await use('ben');
  });

  it('end when they are unused', async () => {
    sessions = new McpSessions(parts, 2_000, 2, 1);
    await use('ann');
    await waitFor(() => testServer.sessions.size === 0 && sessions.size === 0, { what: 'the end of the session' });
  });

  it('do not end while another call of the user is running', async () => {
    sessions = new McpSessions(parts, 2_000, 2, 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const working = use('ann', () => promise);
    await use('ann');
    // This session becomes idle later than the first one would.
    await use('ben');
    await waitFor(() => sessions.size === 1, { what: 'the end of the session that is not used' });
    await use('ann');
    expect(testServer.asked.filter((each) => each === 'initialize')).toHaveLength(2);
    resolve();
    await working;
  });

  it('end when the work fails, because their state is unknown', async () => {
    sessions = new McpSessions(parts, 2_000);
    await expect(use('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect([sessions.size, testServer.sessions.size]).toEqual([0, 0]);
  });
});
