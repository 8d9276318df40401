import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RequestContext } from '@parlance/observability';
import { createHttpApplication } from './application.ts';
import type { CallerStatement } from './access/caller-statement.ts';
import { slept, seen, Things, signed, ask, get, serveThings, limited, isProblem } from '../test/things.ts';

serveThings();

describe('the caller of a request', () => {
  it('is read from the signed statement, with address, request ID and correlation ID', async () => {
    const answer = await get('/things/me', {
      ...signed({ email: 'a@b.c', groups: ['G'] }),
      'x-request-id': 'mine',
      traceparent: 'nonsense',
    });
    expect(answer.json()).toEqual({ userId: 'u1', email: 'a@b.c', groups: ['G'], sessionId: 's1', kind: 'user' });
    expect(answer.headers['x-request-id']).toBe('r-1');
    expect(seen.context).toMatchObject({
      requestId: 'r-1',
      correlationId: 'c-1',
      causationId: null,
      caller: answer.json(),
      ip: '203.0.113.7',
      userAgent: 'curl/8',
    });
  });

  it('is unknown without a valid statement, and then a route without a decorator is closed', async () => {
    for (const headers of [{}, signed({ kind: 'anonymous', sub: null }), { 'x-parlance-caller': `${signed()['x-parlance-caller']}x.` }]) {
      const answer = await get('/things/me', headers);
      isProblem(answer, 401, 'sign_in_required');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('decides which routes are open', async () => {
    const remove = (groups: string[]) => ask({ method: 'DELETE', url: '/things/all', headers: signed({ groups }) });
    expect((await remove(['Admin'])).statusCode).toBe(204);
    isProblem(await remove(['PublishAllowed']), 403, 'group_required');
    const sync = (statement: Partial<CallerStatement>) => ask({ method: 'POST', url: '/things/sync', headers: signed(statement) });
    isProblem(await sync({ groups: ['Admin'] }), 404, 'no_such_route');
    expect((await sync({ sub: 'bots', kind: 'service', call: true })).json()).toMatchObject({ userId: 'bots', kind: 'service' });
  });

  it('may send any user agent, but only the beginning is kept', async () => {
    const edge = await createHttpApplication(Things, { statements: null, logger: false });
    const { length } = await new Promise<string>((resolve, reject) => {
      edge
        .getHttpAdapter()
        .getInstance()
        .addHook('onRequest', (_, __, done) => {
          resolve(RequestContext.current()?.userAgent ?? '');
          done();
        });
      edge.inject({ url: '/things', headers: { 'user-agent': 'U'.repeat(15_000) } }).catch(reject);
    });
    await edge.close();
    expect(length).toBe(512);
  });

  it('is refused before the body is read', async () => {
    const answer = await ask({ method: 'POST', url: '/things/sync', payload: '{', headers: { 'content-type': 'application/json' } });
    isProblem(answer, 404, 'no_such_route');
  });

  it('keeps a well-formed request ID, and otherwise gets a new one', async () => {
    expect((await get('/things', { 'x-request-id': 'my.id-1_A' })).headers['x-request-id']).toBe('my.id-1_A');
    for (const id of ['', 'a b', 'x'.repeat(129), 'é']) {
      expect((await get('/things', { 'x-request-id': id })).headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
    }
  });
});

describe('an answer', () => {
  let hasty: NestFastifyApplication;
  beforeAll(async () => {
    hasty = await limited({ answerTimeout: 200 });
  });
  afterAll(() => hasty.close());

  const over = (path: string) =>
    fetch(`http://127.0.0.1:${(hasty.getHttpServer().address() as AddressInfo).port}/things/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: { content: [] } }),
    });

  it('that exceeds the time limit is replaced by a problem, except a stream', async () => {
    const [late, dozing] = [await over('sleep'), over('doze')];
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await late.json()).toMatchObject({ code: 'answer_timeout', request_id: late.headers.get('x-request-id') });
    // The handler's own late answer is dropped, and the route without a time limit continues.
    await over('sleep');
    slept.emit('wake', { awake: true });
    expect(await (await dozing).json()).toEqual({ awake: true });
  });

  it('that waited for the rest of the request is 408 and closes the connection', async () => {
    for (const begun of ['Content-Length: 9\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n9\r\n{']) {
      const answer = await talk(`POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${begun}`, hasty);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).toContain('"code":"request_timeout"');
      expect(answer).not.toMatch(/^retry-after:/im);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });
});

const talk = async (lines: string, to: NestFastifyApplication) => {
  const socket = connect((to.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(lines);
  return text(socket);
};

describe('a connection', () => {
  let hasty: NestFastifyApplication;
  beforeAll(async () => {
    hasty = await limited({ headersTimeout: 300, requestTimeout: 600 });
  });
  afterAll(() => hasty.close());

  it.each([
    ['whose headers arrive too slowly', 'GET /things HTTP/1.1\r\nHost: a\r\n', '408', 'request_timeout'],
    [
      'whose body arrives too slowly',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      '408',
      'request_timeout',
    ],
    ['that does not send HTTP', 'hello\r\n\r\n', '400', 'malformed_request'],
    ['with endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431', 'headers_too_large'],
  ])('%s is answered and closed', async (_, lines, status, code) => {
    const answer = await talk(lines, hasty);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).not.toMatch(/^server:/im);
  });
});
