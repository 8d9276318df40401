import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChooseRewrite, rewriteAnswer } from './answer-rewriting.ts';

const louder: ChooseRewrite = (_, header) =>
  String(header('content-type')).startsWith('text/') ? (body) => Buffer.from(body.toString().toUpperCase()) : null;
const marked: ChooseRewrite = () => async (body) => {
  await new Promise(setImmediate);
  return Buffer.from(`${body.toString()} ß`);
};

describe('rewriting an answer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** The answer that a client receives after these rewrites, of which the last one runs first. */
  async function answered(chosen: readonly ChooseRewrite[], answer: (res: ServerResponse) => void, failures: unknown[] = []) {
    const server = createServer((_, res) => {
      for (const choose of chosen) rewriteAnswer(res, choose, (failure) => failures.push(failure));
      answer(res);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const got = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return { status: got.status, headers: got.headers, text: await got.text() };
  }

  it('sees the complete answer, however it was written, and sets its length', async () => {
    const { status, headers, text } = await answered([louder], (res) => {
      res.setHeader('x-before', 'yes').setHeader('content-length', '4');
      res.writeHead(201, 'Made', { 'Content-Type': 'text/plain', 'Content-Length': 4 });
      res.flushHeaders();
      res.write('a');
      res.write(Buffer.from('b'));
      res.end('YzQ=', 'base64');
    });
    expect([status, text, headers.get('content-length'), headers.get('x-before')]).toEqual([201, 'ABC4', '4', 'yes']);
  });
  it('accepts an implicit head', async () =>
    expect((await answered([louder], (res) => res.setHeader('content-type', 'text/plain').end('a'))).text).toBe('A'));
  it('leaves an answer unchanged if no rewrite applies', async () => {
    const { text, headers } = await answered([louder], (res) => {
      res.writeHead(200, ['content-type', 'application/json']);
      res.write('a');
      res.end('b');
    });
    expect([text, headers.get('transfer-encoding')]).toEqual(['ab', 'chunked']);
  });
  it('applies several rewrites, the last one first', async () => {
    const { text, headers } = await answered([louder, marked], (res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('a'));
    expect([text, headers.get('content-length')]).toEqual(['A SS', '4']);
    expect((await answered([louder, () => null], (res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('a'))).text).toBe('A');
  });
  it('makes the response look as if it were being sent, for other code that might answer', async () => {
    const seen: boolean[] = [];
    await answered([louder, marked], (res) => {
      const look = () => seen.push(res.headersSent, res.writableEnded);
      look();
      res.writeHead(200, { 'content-type': 'text/plain' }).write('a');
      look();
      res.end(() => look());
      look();
      res.end('too late');
    });
    expect(seen).toEqual([false, false, true, false, true, true, true, true]);
  });
  it('sends the original answer if a rewrite fails, and reports the failure', async () => {
    const failures: unknown[] = [];
    const fails: ChooseRewrite = () => () => {
      throw new Error('no');
    };
    expect((await answered([fails], (res) => res.end('a'), failures)).text).toBe('a');
    expect(failures).toEqual([new Error('no')]);
  });
  it('sends no body if none is allowed', async () => {
    const { status, headers } = await answered([marked], (res) => res.writeHead(204).end());
    expect([status, headers.get('content-length')]).toEqual([204, null]);
  });
});
