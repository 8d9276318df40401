import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Open } from './access/access.ts';
import { createHttpApplication } from './application.ts';
import { statements, ask, get, post, serveThings, Things, isProblem } from '../test/things.ts';

serveThings();

describe('a refusal', () => {
  it('becomes a problem with its code and Retry-After', async () => {
    const answer = await get('/things/fail/limited');
    expect(isProblem(answer, 429, 'throttled').detail).toBe('Too many requests: wait.');
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.body).not.toContain('secret');
  });

  it('is answered for conflicts of streams and failures of dependencies', async () => {
    isProblem(await get('/things/fail/conflict'), 409, 'version_conflict');
    const down = await get('/things/fail/breaker');
    isProblem(down, 503, 'dependency_unavailable');
    expect(down.headers['retry-after']).toBe('5');
    expect(down.body).not.toContain('inference');
  });

  it.each(['bug', 'text', 'nothing'])('of an unexpected error reveals nothing internal (%s)', async (how) => {
    const answer = await get(`/things/fail/${how}`);
    isProblem(answer, 500, 'internal_error');
    expect(answer.body).not.toMatch(/password|10\.0|a text|at /);
  });

  it('is answered for an unknown route or method', async () => {
    isProblem(await get('/nothing'), 404, 'no_such_route');
    isProblem(await ask({ method: 'PUT', url: '/things' }), 404, 'no_such_route');
    isProblem(await get('/things/%zz'), 400, 'malformed_request');
    isProblem(await get(`/things/by-id/${'x'.repeat(300)}`), 400, 'malformed_request');
  });
});

describe('a body', () => {
  const good = { message: { content: [{ content_type: 'text', body: 'hi' }] } };

  it('arrives as an instance of its class, with nested objects chosen by their discriminator', async () => {
    expect((await post(JSON.stringify(good))).json()).toEqual({ made: true, part: 'TextPart' });
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { ...good, role: 'admin' }, 'role'],
    ['an unknown field deep inside', { message: { content: [{ content_type: 'text', body: 'x', role: 1 }] } }, 'message.content[0].role'],
    ['a field that is too long', { message: { content: [{ content_type: 'text', body: 'x'.repeat(21) }] } }, 'message.content[0].body'],
    ['a missing field', { message: { content: [{ content_type: 'image' }] } }, 'message.content[0].media_type'],
    ['an unknown kind', { message: { content: [{ content_type: 'toString' }] } }, 'message.content[0].content_type'],
    ['a text instead of an object', { message: { content: ['x'] } }, 'message.content[0]'],
    ['too many', { message: { content: [1, 2, 3, 4] } }, 'message.content'],
    ['a number as text', { ...good, count: '5' }, 'count'],
    ['an operator of a database', { ...good, count: { $ne: 1 } }, 'count'],
    ['nothing', {}, 'message'],
    ['an array', [], ''],
    ['null', null, ''],
  ])('with %s is refused, and the place is named', async (_, body, path) => {
    const { errors } = isProblem(await post(JSON.stringify(body)), 400, 'invalid_body');
    expect(errors?.map((error) => error.path)).toEqual([path]);
  });

  it('is refused with a detail that is a sentence, even if only one of several values is wrong', async () => {
    expect(isProblem(await post(JSON.stringify({ ...good, tags: ['a', 1] })), 400, 'invalid_body')).toMatchObject({
      detail: 'The field tags is not valid: each value must be a string.',
      errors: [{ path: 'tags', message: 'is not valid: each value must be a string' }],
    });
  });

  it('is refused with at most twenty errors', async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
    expect(isProblem(await post(JSON.stringify(body)), 400, 'invalid_body').errors).toHaveLength(20);
  });

  it('that is not JSON, not UTF-8, poisoned or ambiguous is malformed', async () => {
    for (const body of ['{', '{"a":1e309}', '{"__proto__":{}}', '{"a":1,"a":2}', Buffer.from([0x22, 0xff, 0x22])]) {
      isProblem(await post(body), 400, 'malformed_body');
    }
    isProblem(await post(''), 400, 'invalid_body');
  });

  it('of another content type or too large is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=a']) {
      isProblem(await post('a', '/things', type), 415, 'unsupported_media_type');
    }
    const large = isProblem(await post(' '.repeat(1024 * 1024 + 1)), 413, 'body_too_large');
    expect(large.detail).toBe('The body has more than 1 MiB, the limit of this route.');
    const small = isProblem(await post(' '.repeat(101), '/things/small'), 413, 'body_too_large');
    expect(small.detail).toBe('The body has more than 100 bytes, the limit of this route.');
    expect((await post(JSON.stringify(good), '/things/small')).statusCode).toBe(200);
  });
});

describe('query parameters', () => {
  it('are converted strictly to what the class declares', async () => {
    expect((await get('/things?limit=1000&starred=true&prefix=a+b%C3%BC')).json()).toEqual({ limit: 1000, starred: true, prefix: 'a bü' });
    expect((await get('/things')).json()).toEqual({ limit: 100 });
  });

  it.each([
    'limit=1e3',
    'limit=%205',
    'limit=5.0',
    'limit=NaN',
    'limit=9007199254740992',
    'limit=1001',
    'limit=0',
    'limit=-1',
    'limit=',
    'limit=0x5',
    'limit=05',
    'limit=+5',
    'limit=Infinity',
    'limit=1&limit=2',
    'limit[]=1',
    'starred=1',
    'starred=TRUE',
    'starred',
    'foo=1',
    '__proto__=1',
    'constructor=1',
    'prefix=%00',
    'prefix=%ff',
    'prefix=%',
    'prefix[$ne]=1',
  ])('%s is refused', async (query) => {
    isProblem(await get(`/things?${query}`), 400, 'invalid_query');
  });

  it('are refused on a route without query parameters', async () => {
    expect(isProblem(await get('/things/fail/bug?debug=1'), 400, 'invalid_query').errors).toEqual([
      { path: 'debug', message: 'is not a known parameter' },
    ]);
  });
});

describe('an ID in the path', () => {
  it.each([
    'x',
    '01j00000000000000000000000',
    '81J00000000000000000000000',
    '01J0000000000000000000000',
    '01J0000000000000000000000I',
    '%00',
  ])('%s is malformed', async (id) => {
    expect(isProblem(await get(`/things/by-id/${id}`), 400, id === '%00' ? 'invalid_parameter' : 'invalid_id').errors?.[0]?.path).toBe(
      'bot_id',
    );
  });

  it('is a ULID', async () => {
    expect((await get('/things/by-id/01J00000000000000000000000')).statusCode).toBe(200);
  });
});

describe('an application', () => {
  it('drops a request whose client disconnects before its turn', async () => {
    const app = await createHttpApplication(Things, { statements, logger: false });
    let begun = 0;
    const instance = app.getHttpAdapter().getInstance();
    instance.addHook('preParsing', (_, __, ___, done) => {
      begun += 1;
      done();
    });
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer() as Server;
    let now = performance.now() + 10_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    // Uses up the turn in which the request arrives.
    server.prependOnceListener('request', () => {
      isTurnOver();
      now += 10_000;
    });
    // This listener runs right after the first hook has begun to wait for the turn.
    const arrived = once(server, 'request');
    server.once('request', (_, response: ServerResponse) => response.destroy());
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET /things HTTP/1.1\r\nHost: a\r\n\r\n');
    await arrived;
    clock.mockRestore();
    await nextTurn();
    await nextTurn();
    client.destroy();
    expect(begun).toBe(0);
    await app.close();
  });

  it('spreads requests that arrive at once over several turns of the event loop', async () => {
    let now = performance.now();
    const perTurn = new Map<number, number>();
    let turn = 0;
    @Controller()
    class Slow {
      @Get('x')
      @Open()
      work() {
        now += 1;
        perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
        return {};
      }
    }
    @Module({ controllers: [Slow] })
    class SlowModule {}
    const app = await createHttpApplication(SlowModule, { statements, logger: false });
    await app.init();
    const server = app.getHttpAdapter().getInstance();
    await server.inject('/x');
    now = performance.now() + 10;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let counting = setImmediate(function count() {
      turn += 1;
      counting = setImmediate(count);
    });
    try {
      await Promise.all(Array.from({ length: 20 }, () => server.inject('/x')));
      expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(4);
    } finally {
      clearImmediate(counting);
      clock.mockRestore();
      await app.close();
    }
  });

  it('does not start with a body that no class declares', async () => {
    @Controller()
    class Careless {
      @Post('x')
      take(@Body() body: Record<string, unknown>) {
        return body;
      }
    }
    @Module({ controllers: [Careless] })
    class CarelessModule {}
    await expect(createHttpApplication(CarelessModule, { statements, logger: false })).rejects.toThrow(/Careless\.take: a body/);
  });
});
