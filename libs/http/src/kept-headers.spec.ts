import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { blockOf, keepBlock, keepBlockLater, keepHeaders, KeepingResponse } from './kept-headers.ts';

/** The raw headers of an answer, without those that Node adds. */
async function answerOf(listener: RequestListener<never, typeof KeepingResponse>): Promise<readonly string[]> {
  const server = createServer({ ServerResponse: KeepingResponse }, listener as RequestListener<never, typeof KeepingResponse>);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const of = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
    return [...headers].filter(([name]) => !of.includes(name)).map((pair) => pair.join(': '));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('default headers of an answer', () => {
  const base = ['x-a', '1', 'x-b', '2'];
  const block = blockOf({ 'x-d': '4', 'x-e': '5' });
  type Written = (res: KeepingResponse) => unknown;

  it.each<[string, Written]>([
    ['writeHead', (res) => res.writeHead(200).end()],
    ['writeHead with a reason', (res) => res.writeHead(200, 'Fine').end()],
    ['an implicit head', (res) => res.end()],
    ['flushHeaders', (res) => (res.flushHeaders(), res.end())],
  ])('are sent with %s', async (_, write) => {
    expect(await answerOf((_req, res) => (keepHeaders(res, base), keepBlock(res, block), write(res)))).toEqual([
      'x-a: 1',
      'x-b: 2',
      'x-d: 4',
      'x-e: 5',
    ]);
  });
  it.each<[string, Written]>([
    ['in the head', (res) => res.writeHead(200, { 'x-b': 'own', 'x-d': 'own' }).end()],
    ['in the head, with a reason', (res) => res.writeHead(200, 'Fine', { 'x-b': 'own', 'x-d': 'own' }).end()],
    ['in the head, with capital letters', (res) => res.writeHead(200, { 'X-B': 'own', 'X-D': 'own' }).end()],
    ['in the head, as a list', (res) => res.writeHead(200, ['x-b', 'own', 'x-d', 'own']).end()],
    ['before the head', (res) => res.setHeader('X-B', 'own').setHeader('x-d', 'own').end()],
    ['before the head and in it', (res) => res.setHeader('x-b', 'own').writeHead(200, { 'x-d': 'own' }).end()],
  ])('give way to the headers that the handler sets: %s', async (_, write) => {
    expect(await answerOf((_req, res) => (keepHeaders(res, base), keepBlock(res, block), write(res)))).toEqual([
      'x-a: 1',
      'x-b: own',
      'x-d: own',
      'x-e: 5',
    ]);
  });
  it('are not sent if the route sets them to null, which Node writes as a text', async () => {
    const headers = { 'x-b': null, 'x-d': null } as unknown as Record<string, string>;
    expect(await answerOf((_req, res) => (keepHeaders(res, base), keepBlock(res, block), res.writeHead(200, headers).end()))).toEqual([
      'x-a: 1',
      'x-b: null',
      'x-d: null',
      'x-e: 5',
    ]);
  });
  it('can be read, listed and removed like other headers', async () => {
    const values: unknown[] = [];
    const sent = await answerOf((_req, res) => {
      keepHeaders(res, base);
      keepBlock(res, block);
      values.push(res.getHeader('X-A'), res.getHeader('x-d'), res.hasHeader('x-b'), res.hasHeader('x-c'), res.hasHeader('2'));
      values.push(res.getHeaderNames(), res.getHeaders());
      keepHeaders(res, ['x-c', '3']);
      keepBlock(res, blockOf({ 'x-f': '6' }));
      res.removeHeader('X-C');
      res.removeHeader('x-f');
      res.appendHeader('x-b', '7');
      res.end();
    });
    expect(values).toEqual([
      '1',
      '4',
      true,
      false,
      false,
      ['x-d', 'x-e', 'x-a', 'x-b'],
      { 'x-a': '1', 'x-b': '2', 'x-d': '4', 'x-e': '5' },
    ]);
    expect(sent).toEqual(['x-a: 1', 'x-b: 2, 7', 'x-d: 4', 'x-e: 5']);
  });
  it('replace an earlier list with the same first name', async () => {
    const sent = await answerOf((_req, res) => {
      keepHeaders(res, base);
      keepHeaders(res, ['x-z', '9']);
      keepHeaders(res, ['x-a', 'new']);
      for (const value of ['1', '2']) keepBlock(res, blockOf({ 'x-d': value }));
      res.end();
    });
    expect(sent).toEqual(['x-a: new', 'x-d: 2', 'x-z: 9']);
  });
  it('are made for the status of the answer, once', async () => {
    let made = 0;
    const sent = await answerOf((_req, res) => {
      keepHeaders(res, base);
      keepBlockLater(res, (status) => blockOf({ 'x-status': String(status), 'x-made': String(++made) }));
      res.statusCode = 404;
      res.end();
    });
    expect(sent).toEqual(['x-a: 1', 'x-b: 2', 'x-made: 1', 'x-status: 404']);
  });
  it('are neither made nor set after the head was sent', async () => {
    const values: unknown[] = [];
    let made = 0;
    await answerOf((_req, res) => {
      keepHeaders(res, base);
      keepBlock(res, block);
      keepBlockLater(res, () => blockOf({ 'x-made': String(++made) }));
      res.writeHead(200);
      for (const act of [() => res.writeHead(500), () => res.getHeaders(), () => res.getHeader('x-made')]) {
        try {
          values.push(act());
        } catch (error) {
          values.push((error as { code: string }).code);
        }
      }
      res.end();
    });
    expect([made, ...values]).toEqual([1, 'ERR_HTTP_HEADERS_SENT', {}, '1']);
  });
  it('are checked by Node like other headers', async () => {
    const refused: unknown[] = [];
    await answerOf((_req, res) => {
      keepHeaders(res, ['x-a', 'a\r\nx-forged: 1']);
      try {
        res.writeHead(200, { 'x-b': '2' });
      } catch (error) {
        refused.push((error as { code: string }).code);
      }
      res.destroy();
    }).catch(() => undefined);
    expect(refused).toEqual(['ERR_INVALID_CHAR']);
  });
  it.each<[string, Written]>([
    ['another header is set', (res) => res.setHeader('x-c', '3')],
    ['they are listed', (res) => res.getHeaders()],
    ['nothing happens', () => undefined],
  ])('are in the head once when Node has refused a head before, and %s', async (_, between) => {
    const sent = await answerOf((_req, res) => {
      keepHeaders(res, base);
      keepBlock(res, block);
      keepBlockLater(res, (status) => blockOf({ 'x-status': String(status) }));
      expect(() => res.writeHead(200, { 'x-z': 'two\nlines' })).toThrow();
      between(res);
      res.writeHead(500).end();
    });
    expect(sent.filter((each) => each !== 'x-c: 3').slice(0, 4)).toEqual(['x-a: 1', 'x-b: 2', 'x-d: 4', 'x-e: 5']);
  });
  it('are in the head once if a header was set and removed before', async () => {
    const sent = await answerOf((_req, res) => {
      res.setHeader('x-c', '3').removeHeader('x-c');
      keepHeaders(res, base);
      keepBlock(res, block);
      res.writeHead(200, { 'x-z': '9' }).end();
    });
    expect(sent).toEqual(['x-a: 1', 'x-b: 2', 'x-d: 4', 'x-e: 5', 'x-z: 9']);
  });
  it('can be read if the value of one is the name of another', async () => {
    let values: unknown;
    await answerOf((_req, res) => {
      keepHeaders(res, ['x-a', 'x-b', 'x-b', '2']);
      values = res.getHeader('x-b');
      res.end();
    });
    expect(values).toBe('2');
  });
  it.each(['connection', 'date', 'X-A', 'a b', 'content-length'])('cannot be a block with the name %j', (name) =>
    expect(() => blockOf({ [name]: '1' })).toThrow(),
  );
  it('cannot be a block with a value of two lines', () => expect(() => blockOf({ 'x-a': 'a\r\nx-forged: 1' })).toThrow());
  it('are not in the head twice if the route sets the same header', async () => {
    const sent = await answerOf((_req, res) => {
      keepBlock(res, block);
      res.writeEarlyHints({ link: '</style.css>; rel=preload' });
      res.end();
    });
    expect(sent).toEqual(['x-d: 4', 'x-e: 5']);
  });
  it('are set on responses of other servers', async () => {
    const server = createServer((_, res) => {
      keepHeaders(res, ['x-a', '1']);
      keepBlock(res, block);
      keepBlockLater(res, (status) => blockOf({ 'x-status': String(status) }));
      res.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(['x-a', 'x-d', 'x-status'].map((name) => headers.get(name))).toEqual(['1', '4', '200']);
    server.closeAllConnections();
    server.close();
  });
});
