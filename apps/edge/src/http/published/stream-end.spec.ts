import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { endStream } from './stream-end.ts';

const revoked = refuse('unauthenticated', 'invalid_api_key', 'Send a valid API key.');
const ends: (() => unknown)[] = [];

/** What a client receives from the beginning of an answer to its abrupt end. */
async function received(below: string, type: string, before: string, meanwhile = (_: ServerResponse) => undefined as unknown) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, res) => {
    res.writeHead(200, { 'content-type': type });
    res.write(before);
    begin(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage];
  const res = await begun;
  meanwhile(res);
  endStream(res, { below, rpcId: 7 }, revoked);
  res.write('data: late\n\n');
  const parts: string[] = [];
  answer.on('data', (part: Buffer) => parts.push(String(part)));
  await once(answer, 'error');
  return parts.join('');
}

describe('a stream whose key was revoked', () => {
  afterEach(() => ends.splice(0).forEach((end) => end()));

  it('ends with the error for clients of OpenAI, after what was sent, and with nothing after it', async () => {
    const all = await received('/v1/responses', 'text/event-stream; charset=utf-8', 'data: 1\n\n');
    expect(all).toMatch(/^data: 1\n\n\n\nevent: error\ndata: \{.*"error":\{"message":"Send a valid API key."[^\n]*\n\n$/);
  });
  it('ends with an error of JSON-RPC for clients of MCP, as the answer to their request', async () => {
    const all = await received('/mcp', 'text/event-stream', ': waiting\n\n');
    const [, data] = /^: waiting\n\n\n\nevent: message\ndata: ([^\n]*)\n\n$/.exec(all)!;
    const error = { code: expect.any(Number), message: 'Send a valid API key.', data: { code: 'invalid_api_key' } };
    expect(JSON.parse(data!)).toEqual({ jsonrpc: '2.0', id: 7, error });
  });
  it('breaks off for others, who resume it', async () => {
    expect(await received('/conversation/c/m/stream', 'text/event-stream', 'data: 1\n\n')).not.toContain('error');
  });
  it('breaks off if it is not a stream', async () => {
    expect(await received('/v1/responses', 'application/json', '{')).not.toContain('error');
  });
  it('breaks off for a client that does not read', async () => {
    const fill = (res: ServerResponse) => {
      while (!res.writableNeedDrain) res.write(`data: ${'x'.repeat(65_536)}\n\n`);
    };
    expect(await received('/v1/responses', 'text/event-stream', 'data: 1\n\n', fill)).not.toContain('error');
  });
});
