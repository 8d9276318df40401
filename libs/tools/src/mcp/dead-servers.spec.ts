import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { McpServerConfig } from '@parlance/config';
import { waitFor } from '@parlance/testing';
import { mcpServer, type TestMcpServer } from '../../test/mcp-server.ts';
import { called, credentials, mcpToolsOf, never, user } from '../../test/mcp-tools-of.ts';
import { GuardedFetch } from '@parlance/guarded-fetch';
import type { Tool } from '../tool.ts';
import { McpSessions } from './mcp-sessions.ts';

/** A server must connect and list its tools within this time. */
const FIND_MILLIS = 1_000;
/** Work that waits for no server takes much less than this. */
const AT_MOST = 8_000;

/** Ways to leave an answer unfinished. All but the last keep the connection open. */
const stalls: readonly ((response: ServerResponse) => void)[] = [
  () => {},
  (response) => response.writeHead(200, JSON_ANSWER).flushHeaders(),
  (response) => void response.writeHead(200, JSON_ANSWER).write('{"jsonrpc"'),
  (response) => void response.writeHead(200, STREAM).write('data: {'),
  (response) => drip(response.writeHead(200, STREAM), ':'),
  (response) => drip(response.writeHead(200, STREAM), NOTICE),
  (response) => drip(response.writeHead(200, STREAM), PROGRESS),
  (response) => void response.writeHead(202).end(),
];
const JSON_ANSWER = { 'content-type': 'application/json' };
const STREAM = { 'content-type': 'text/event-stream' };
const NOTICE = `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n`;
const PROGRESS = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n`;

function drip(response: ServerResponse, text: string): void {
  const drops = setInterval(() => response.write(text), 20);
  response.on('close', () => clearInterval(drops));
}

describe('servers that are dead', () => {
  let good: TestMcpServer;
  let dead: readonly TestMcpServer[];
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    good = await mcpServer([{ name: 'plain' }]);
    dead = await Promise.all(stalls.map(() => mcpServer([{ name: 'plain' }])));
    for (const server of [good, ...dead]) ends.push(() => server.stop());
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  const serverOf = (url: string) => Object.assign(new McpServerConfig(), { url, allowed_tools: ['plain'], timeout_seconds: 1 });
  const opened = (urls = dead.map(({ url }) => url)) => {
    const others = urls.map((url, index) => [`dead${index}`, serverOf(url)] as const);
    const { tools } = mcpToolsOf({}, { servers: { good: serverOf(good.url), ...Object.fromEntries(others) }, findMillis: FIND_MILLIS });
    ends.push(() => tools.close());
    const names = ['good__*', ...others.map(([name]) => `${name}__*`)];
    return () => tools.find(names, user('ann'), never());
  };
  const namesOf = (found: readonly Tool[]) => found.map(({ definition }) => definition.name);
  /** Each server stalls in its own way at these requests. */
  const stallAt = (isStage: (method: string) => boolean) =>
    dead.forEach((server, index) => {
      server.intercept = (method, _request, response) => {
        if (!isStage(method)) return false;
        stalls[index]!(response);
        return true;
      };
    });
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await work();
    expect(performance.now() - begun).toBeLessThan(AT_MOST);
    return result;
  };
  const isQuiet = () => waitFor(() => dead.every(({ open }) => open.size === 0), { what: 'the connections to be closed' });

  it.each([
    ['the first request', (method: string) => method === 'server/discover'],
    ['the first request and the fallback handshake', (method: string) => ['server/discover', 'initialize'].includes(method)],
    ['the list of tools', (method: string) => method === 'tools/list'],
  ])('that stall at %s are left out in time, and the tools of other servers are found', async (_, isStage) => {
    stallAt(isStage);
    expect(namesOf(await timed(opened()))).toEqual(['good__plain']);
    await isQuiet();
  });

  it('that stall during or after a call produce an error result, and delay no other calls', async () => {
    const tools = await opened()();
    expect(tools).toHaveLength(1 + stalls.length);
    stallAt((method) => method === 'tools/call' || method.startsWith('notifications/'));
    const [living, ...dying] = await timed(() => Promise.all(tools.map((tool) => called(tool))));
    expect(living).toEqual({ text: 'plain {}', isError: false });
    expect(dying.filter(({ isError }) => !isError)).toEqual([]);
    await isQuiet();
  });

  it('that accept connections but never speak HTTP are left out in time', async () => {
    const open = new Set<Socket>();
    const silent = createServer((socket) => {
      open.add(socket.resume());
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => silent.close(resolve)));
    expect(namesOf(await timed(opened([`http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`])))).toEqual(['good__plain']);
    await waitFor(() => open.size === 0, { what: 'the connections to be closed' });
  });

  it('keep no failed session, so that they are used as soon as they work again', async () => {
    const sessions = new McpSessions({ fetch: new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] }), credentials }, FIND_MILLIS);
    ends.push(() => sessions.close());
    const [there] = dead as [TestMcpServer];
    const server = { name: 'dead', config: serverOf(there.url) };
    const asked = Promise.withResolvers<void>();
    there.intercept = () => (asked.resolve(), true);
    const ending = new AbortController();
    const opening = sessions.use(server, 'ann', ending.signal, async () => 'used').catch((error: Error) => error.message);
    await asked.promise;
    ending.abort(new Error('given up'));
    expect(await opening).toBe('given up');
    await waitFor(() => sessions.size === 0, { what: 'the end of the attempt' });
    there.intercept = null;
    expect(await sessions.use(server, 'ann', never(), async () => 'used')).toBe('used');
  });
});
