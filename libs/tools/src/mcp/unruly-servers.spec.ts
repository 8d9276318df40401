import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { mcpServer, type ServedTool, type TestMcpServer } from '../../test/mcp-server.ts';
import { called, context, credentials, mcpToolsOf, never, user } from '../../test/mcp-tools-of.ts';
import { MOST_ANSWER_BYTES, MOST_RESULT } from './limits.ts';

const plain: ServedTool = { name: 'plain', description: 'Plain.' };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serving(tools: readonly ServedTool[]): Promise<TestMcpServer> {
  const server = await mcpServer(tools);
  ends.push(() => server.stop());
  return server;
}

function toolsOf(server: { url: string }, more: object = {}, parts: object = {}) {
  const opened = mcpToolsOf({ url: server.url, allowed_tools: ['plain', 'other'], ...more }, parts);
  ends.unshift(() => opened.tools.close());
  return opened;
}

const find = ({ tools }: ReturnType<typeof mcpToolsOf>, userId = 'ann') => tools.find(['docs__*'], user(userId), never());

describe('the tools of a server that', () => {
  it('hangs are left out, and the server is not contacted for a while', async () => {
    const server = await serving([plain]);
    server.intercept = () => true;
    const opened = toolsOf(server, {}, { findMillis: 50 });
    expect(await find(opened)).toEqual([]);
    expect(opened.leftOut).toHaveLength(1);
    const asked = server.asked.length;
    expect(await find(opened)).toEqual([]);
    expect(server.asked).toHaveLength(asked);
  });

  it('cannot be reached are left out', async () => {
    const opened = toolsOf({ url: 'http://127.0.0.1:1/mcp' });
    expect(await find(opened)).toEqual([]);
    expect(opened.leftOut).toHaveLength(1);
  });

  it.each([
    [500, 'application/json'],
    [400, 'text/plain'],
    [200, 'application/json'],
  ])('repeats a secret with status %i are left out, and the secret is not reported', async (status, type) => {
    const server = await serving([plain]);
    server.intercept = (_method, { headers }, response) =>
      Boolean(response.writeHead(status, { 'content-type': type }).end(`{"${headers.authorization}"`));
    const reported: unknown[] = [];
    const opened = toolsOf(server, { api_key: 'its-secret' }, { leftOut: (_: string, reason: unknown) => void reported.push(reason) });
    expect(await find(opened)).toEqual([]);
    expect(reported).toHaveLength(1);
    expect(inspect(reported, { depth: 9 })).not.toContain('its-secret');
  });

  const json = { 'content-type': 'application/json' };
  const cutOff = (response: ServerResponse) => response.socket!.end();
  const open = () => {};
  const done = (response: ServerResponse) => response.end();
  it.each([
    ['answers too much', 'x'.repeat(MOST_ANSWER_BYTES + 1), json, done],
    ['sends notices without end', `data: {"jsonrpc":"2.0","method":"n"}\n\n`.repeat(20_000), { 'content-type': 'text/event-stream' }, open],
    ['sends less than it announces', '{}', { ...json, 'content-length': '100' }, cutOff],
    ['announces too much', '{}', { ...json, 'content-length': String(2 ** 40) }, open],
    ['sends rubbish', '{"jsonrpc":"2.0","id":1,"result":{"tools":"none"}}', json, done],
  ])('%s are left out', async (_, text, headers, end) => {
    const server = await serving([plain]);
    server.intercept = (method, _request, response) => {
      if (method !== 'tools/list') return false;
      response.writeHead(200, headers).write(text);
      end(response);
      return true;
    };
    const opened = toolsOf(server, {}, { findMillis: 2_000 });
    expect(await find(opened)).toEqual([]);
    expect(opened.leftOut).toHaveLength(1);
  });

  it('redirects to a private address are left out, and nothing is sent to that address', async () => {
    let reached = 0;
    const inside = createServer((_, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve));
    ends.push(() => new Promise((resolve) => inside.close(() => resolve())));
    const { port } = inside.address() as { port: number };
    const server = await serving([plain]);
    server.intercept = (_method, _request, response) => {
      response.writeHead(307, { location: `http://127.0.0.2:${port}/mcp` }).end();
      return true;
    };
    const opened = toolsOf(server, { api_key: 'k' });
    expect(await find(opened)).toEqual([]);
    expect([opened.leftOut.length, reached]).toEqual([1, 0]);
  });

  it('is at a private address are left out, unless the deployment allows it', async () => {
    const opened = toolsOf({ url: 'http://127.0.0.2:9999/mcp' });
    expect(await find(opened)).toEqual([]);
    expect(opened.leftOut).toEqual([expect.stringContaining('private or reserved network')]);
  });
});

describe('a definition of a server', () => {
  it('has no invisible characters and a bounded description', async () => {
    const server = await serving([{ name: 'plain', description: `a\u202eb\u200b\u0007\u{e0041}c${'d'.repeat(5_000)}` }]);
    const [tool] = await find(toolsOf(server));
    expect(tool!.definition.description).toMatch(/^abcd{1,2000}$/);
  });

  it('has no invisible characters in the names and texts of its schema', async () => {
    const unseen = '\u200b\u{e0041}';
    const inputSchema = {
      type: 'object' as const,
      properties: { [`to${unseen}`]: { type: 'string', description: `An${unseen} address.` } },
    };
    const server = await serving([{ name: 'plain', inputSchema }]);
    const [tool] = await find(toolsOf(server));
    expect(tool!.definition.inputSchema).toEqual({ type: 'object', properties: { to: { type: 'string', description: 'An address.' } } });
  });

  it.each([
    ['too large', { type: 'object', title: 'x'.repeat(40_000) }],
    ['too deep', { type: 'object', properties: nested(30) }],
  ])('is left out when its schema is %s', async (_, inputSchema) => {
    const server = await serving([{ name: 'plain', inputSchema }, { name: 'other' }]);
    const opened = toolsOf(server);
    expect((await find(opened)).map(({ definition }) => definition.name)).toEqual(['docs__other']);
    expect(opened.leftOut).toEqual(['docs: The definition of plain is too large.']);
  });
});

describe('a call', () => {
  it('has a bounded result of texts only', async () => {
    const long = await serving([{ name: 'plain', does: () => 'y'.repeat(MOST_RESULT + 10) }]);
    const { text } = await called((await find(toolsOf(long)))[0]);
    expect(text.replace(/^y+/, '')).toBe('\n[The rest of the result was cut off.]');
    const image = { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] };
    const drawn = await serving([{ name: 'plain', does: () => image }]);
    expect((await called((await find(toolsOf(drawn)))[0])).text).toBe('[Content of the type image was left out.]');
  });

  it('without an answer fails at its time limit, and the server is not contacted after three of them', async () => {
    const server = await serving([plain]);
    const opened = toolsOf(server, { timeout_seconds: 1 });
    const [tool] = await find(opened);
    server.intercept = (method) => method === 'tools/call';
    const results = await Promise.all([1, 2, 3].map(() => called(tool)));
    for (const { isError } of results) expect(isError).toBe(true);
    expect(await called(tool)).toEqual({
      text: 'The server docs is not working at the moment. Continue without it, or try again later.',
      isError: true,
    });
    expect(await find(opened)).toEqual([]);
  });

  it('ends when its signal is aborted', async () => {
    const server = await serving([plain]);
    const [tool] = await find(toolsOf(server));
    const ending = new AbortController();
    server.intercept = (method) => {
      if (method !== 'tools/call') return false;
      ending.abort(new Error('cancelled'));
      return true;
    };
    await expect(tool!.call({}, context, ending.signal)).rejects.toThrow('cancelled');
  });
});

describe('a server with OAuth', () => {
  const guarded = async () => {
    const server = await serving([plain]);
    server.intercept = (_method, request, response) => {
      if (request.headers.authorization === 'Bearer good') return false;
      response.writeHead(401).end();
      return true;
    };
    return server;
  };
  const connection = 'connection_required: docs.';

  it('is not contacted before the user has connected it, and its tools say so', async () => {
    const server = await guarded();
    const [tool, ...others] = await find(toolsOf(server, { auth: 'oauth' }), 'eve');
    expect([tool!.definition.name, tool!.writes, others.length]).toEqual(['docs__plain', false, 1]);
    expect(await called(tool)).toEqual({ text: expect.stringContaining(connection), isError: true });
    expect(server.asked).toEqual([]);
  });

  it("is called with the user's token, which is renewed when the server refuses it", async () => {
    const server = await guarded();
    credentials.tokens.set('docs ann', 'old');
    credentials.next.set('old', 'good');
    const [tool] = await find(toolsOf(server, { auth: 'oauth' }));
    expect(await called(tool)).toEqual({ text: 'plain {}', isError: false });
  });

  it("is not paused because of one user: neither when it refuses the user, nor when the user's tokens are slow", async () => {
    const server = await guarded();
    credentials.tokens.set('docs ann', 'good').set('docs ben', 'other').set('docs cid', 'slow');
    const slow = { token: (name: string, userId: string) => (userId === 'cid' ? new Promise(() => {}) : credentials.token(name, userId)) };
    const parts = { findMillis: 1_000, credentials: { ...slow, renewed: credentials.renewed } };
    const opened = toolsOf(server, { auth: 'oauth' }, parts);
    server.intercept = (_method, request, response) => {
      if (request.headers.authorization === 'Bearer good') return false;
      return Boolean(response.writeHead(403).end());
    };
    expect([await find(opened, 'ben'), await find(opened, 'cid')]).toEqual([[], []]);
    expect(opened.leftOut).toHaveLength(2);
    expect(await called((await find(opened, 'ann'))[0])).toEqual({ text: 'plain {}', isError: false });
  });

  it('asks the user to connect again when there is no other token', async () => {
    const server = await guarded();
    credentials.tokens.set('docs ann', 'good');
    const opened = toolsOf(server, { auth: 'oauth' });
    const [tool] = await find(opened);
    server.intercept = (_method, _request, response) => Boolean(response.writeHead(401).end());
    expect((await called(tool)).text).toContain(connection);
    await opened.tools.connectionChanged('docs', 'ann');
    expect((await called((await find(opened))[0])).text).toContain(connection);
  });
});

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}
