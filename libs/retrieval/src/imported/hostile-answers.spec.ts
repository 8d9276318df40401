import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { waitFor } from '@parlance/testing';
import { HttpRetriever } from './http-retriever.ts';
import { MOST_CHUNK_CHARACTERS } from './imported-retriever.ts';
import { MOST_RETRIEVAL_BYTES } from './remote-retriever.ts';

/** One attempt. It has a minute, except where the time limit is under test. */
const patience = { deadlineMillis: 60_000, attempts: 1, firstWaitMillis: 1, longestWaitMillis: 1 };
const SHORT_MILLIS = 500;
const good = { text: 'Ten days.', source: 'https://wiki.example.org/leave' };
const BOMB = gzipSync(Buffer.alloc(20 * MOST_RETRIEVAL_BYTES, ' '));
const JSON_ANSWER = { 'content-type': 'application/json' };

/** An endpoint with the answer that a test defines, and the received requests. */
describe('a retrieval endpoint that', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  let elsewhere = 0;
  let address: string;
  let retriever: HttpRetriever;
  const open = new Set<Socket>();
  const search = () => retriever.retrieve('leave', { limit: 2, signal: new AbortController().signal });

  beforeEach(async () => {
    elsewhere = 0;
    server = createServer((request, response) => {
      if (request.url === '/elsewhere') elsewhere += 1;
      request.resume().on('end', () => answer(response));
    });
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`;
    retriever = new HttpRetriever({ name: 'wiki', url: address, token: 'canary-5e1f', patience });
  });
  afterEach(async () => {
    await retriever.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const results = (...of: unknown[]) => JSON.stringify({ results: of });
  it.each<[string, string]>([
    ['HTML', '<html><script>1</script>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"results"'],
    ['no results', '{}'],
    ['results that are an object', '{"results":{"0":{}}}'],
    ['a result that is null', results(null)],
    ['a result that is a list', results([good.text, good.source])],
    ['a text that is a number', results({ ...good, text: 1 })],
    ['a text that is a list', results({ ...good, text: [good.text] })],
    ['an empty text', results({ ...good, text: '' })],
    ['a text that is too long', results({ ...good, text: 'x'.repeat(MOST_CHUNK_CHARACTERS + 1) })],
    ['a source that is too long', results({ ...good, source: 'x'.repeat(2_049) })],
    ['a source that is an object', results({ ...good, source: {} })],
    ['a page of 1e309', `{"results":[{"text":"a","source":"b","page_number":1e309}]}`],
    ['a page of -1', results({ ...good, page_number: -1 })],
    ['a score that is a text', results({ ...good, score: '1' })],
    ['more results than it was asked for', results(good, good, good)],
    ['a million results', `{"results":[${'{},'.repeat(600_000)}{}]}`],
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['JSON that is cut off', '{"results":['],
  ])('answers %s is refused with our own message', async (_, text) => {
    answer = (response) => void response.writeHead(200, JSON_ANSWER).end(text);
    await expect(search()).rejects.toMatchObject({
      name: 'RemoteRefused',
      message: expect.stringMatching(/^The knowledge base wiki can't be used: [^<>]+\.$/),
    });
  });

  it('answers properties of `Object.prototype` is read without them', async () => {
    answer = (response) =>
      void response
        .writeHead(200, JSON_ANSWER)
        .end(`{"__proto__":{"x":1},"results":[{"__proto__":{"text":"evil"},"text":"Ten days.","source":"s","constructor":1}]}`);
    expect(await search()).toEqual([
      { id: 's#0', text: 'Ten days.', source: 's', source_name: 's', page_number: null, heading: null, score: 0 },
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['sends nothing', () => {}],
    ['sends the headers alone', (response) => response.writeHead(200, JSON_ANSWER).flushHeaders()],
    ['stops in the middle', (response) => void response.writeHead(200, JSON_ANSWER).write('{"results":[')],
    [
      'sends a space from time to time',
      (response) => {
        const drops = setInterval(() => response.write(' '), 20);
        response.writeHead(200, JSON_ANSWER).on('close', () => clearInterval(drops));
      },
    ],
  ])('%s is abandoned at the time limit, and its connection is closed', async (_, stall) => {
    answer = stall;
    await retriever.close();
    const short = { ...patience, deadlineMillis: SHORT_MILLIS };
    retriever = new HttpRetriever({ name: 'wiki', url: address, token: 'canary-5e1f', patience: short });
    await expect(search()).rejects.toMatchObject({
      name: 'RemoteUnavailable',
      message: expect.stringContaining('did not answer within 0.5 s'),
    });
    await waitFor(() => open.size === 0, { what: 'the connection to be closed' });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['sends too much', (response) => void response.writeHead(200, JSON_ANSWER).end(' '.repeat(MOST_RETRIEVAL_BYTES + 1))],
    ['never stops sending', (response) => flood(response.writeHead(200, JSON_ANSWER))],
    [
      'sends data that decompresses to too much',
      (response) => void response.writeHead(200, { ...JSON_ANSWER, 'content-encoding': 'gzip' }).end(BOMB),
    ],
  ])('%s is refused at the limit, and its connection is closed', async (_, pour) => {
    answer = pour;
    await expect(search()).rejects.toMatchObject({
      name: 'RemoteRefused',
      message: expect.stringContaining(`larger than ${MOST_RETRIEVAL_BYTES} bytes`),
    });
    await waitFor(() => open.size === 0, { what: 'the connection to be closed' });
  });

  it.each([301, 302, 303, 307, 308])('redirects with %d is not followed, so that its token goes to no other address', async (status) => {
    answer = (response) => void response.writeHead(status, { location: '/elsewhere' }).end();
    await expect(search()).rejects.toThrow(/^The knowledge base wiki /);
    expect(elsewhere).toBe(0);
  });
});

function flood(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
  };
  response.on('drain', more);
  more();
}
