import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant, refuse } from '@parlance/decider';
import { VersionConflict } from '@parlance/event-store';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsInt, IsOptional, IsString, Length, ValidateNested } from 'class-validator';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { RequestContext } from '@parlance/observability';
import { Internal, Needs, Open } from './access/access.ts';
import { createHttpApplication } from './application.ts';
import { Caller } from './access/caller.ts';
import { type CallerStatement, CallerStatements } from './access/caller-statement.ts';
import { Limit } from './routes/query.ts';
import { BodyLimit, LongAnswer } from './routes/route-options.ts';
import { IdParam } from './bodies/validation.ts';

class TextPart {
  @Equals('text') content_type!: 'text';
  @IsString() @Length(1, 20) body!: string;
}

class ImagePart {
  @Equals('image') content_type!: 'image';
  @IsString() media_type!: string;
}

class Message {
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Object, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'content_type',
      subTypes: [
        { name: 'text', value: TextPart },
        { name: 'image', value: ImagePart },
      ],
    },
  })
  content!: (TextPart | ImagePart)[];
}

class PostBody {
  @ValidateNested() @Type(() => Message) message!: Message;
  @IsOptional() @IsInt() count?: number;
  @IsOptional() @IsString({ each: true }) tags?: string[];
}

class ListQuery {
  @Limit() limit = 100;
  @IsOptional() starred?: boolean;
  @IsOptional() @IsString() prefix?: string;
}

const slept = new EventEmitter();
const seen: { context?: RequestContext | undefined } = {};

@Controller('things')
class ThingsController {
  @Open()
  @Post()
  create(@Body() body: PostBody) {
    return { made: body instanceof PostBody, part: body.message.content[0]?.constructor.name ?? null };
  }

  @Open()
  @BodyLimit(100)
  @HttpCode(200)
  @Post('small')
  small(@Body() _: PostBody) {
    return {};
  }

  @Open()
  @Get()
  list(@Query() query: ListQuery) {
    return query;
  }

  @Open()
  @Get('fail/:how')
  fail(@Param('how') how: string) {
    const failures: Record<string, unknown> = {
      limited: refuse('limited', 'throttled', 'Too many requests: wait.', { retry_after: 1.2, secret: 'x' }),
      conflict: new VersionConflict('bot-1', 3),
      breaker: Object.assign(new Error('Breaker is open: http://inference:4001'), { code: 'EOPENBREAKER' }),
      bug: new TypeError('cannot read "password" of 10.0.0.7'),
      text: 'a text',
      nothing: undefined,
    };
    throw failures[how];
  }

  @Open()
  @Post('sleep')
  sleep(@Body() _: PostBody) {
    return new Promise((resolve) => slept.once('wake', resolve));
  }

  @Open()
  @LongAnswer()
  @Post('doze')
  doze(@Body() _: PostBody) {
    return new Promise((resolve) => slept.once('wake', resolve));
  }

  @Get('me')
  me(@Caller() caller: Caller) {
    seen.context = RequestContext.current();
    return caller;
  }

  @Get('by-id/:bot_id')
  @Open()
  byId(@IdParam('bot_id') id: string) {
    return { id };
  }

  @Needs('Admin')
  @Delete('all')
  @HttpCode(204)
  removeAll() {}

  @Internal()
  @Post('sync')
  sync(@Caller() caller: Caller) {
    return caller;
  }
}

@Module({ controllers: [ThingsController] })
class Things {}

const statements = new CallerStatements(Buffer.alloc(32, 1));
const user: CallerStatement = {
  sub: 'u1',
  groups: [],
  sid: 's1',
  kind: 'user',
  ip: '203.0.113.7',
  ua: 'curl/8',
  rid: 'r-1',
  cid: 'c-1',
};
const signed = (statement: Partial<CallerStatement> = {}) => ({
  'x-parlance-caller': statements.sign({ ...user, ...statement }, Instant.ofMillis(Date.now())),
});

let app: NestFastifyApplication;
const ask = (options: InjectOptions): Promise<LightMyRequestResponse> => app.inject(options) as Promise<LightMyRequestResponse>;
const get = (url: string, headers = {}) => ask({ method: 'GET', url, headers });
const post = (payload: string | Buffer, url = '/things', type = 'application/json') =>
  ask({ method: 'POST', url, payload, headers: { 'content-type': type } });

beforeAll(async () => {
  app = await createHttpApplication(Things, { statements, logger: false });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

/** The same application with limits that a test can wait for. */
async function limited(limits: object): Promise<NestFastifyApplication> {
  const its = await createHttpApplication(Things, { statements, logger: false, ...limits });
  await its.listen(0, '127.0.0.1');
  return its;
}

const isProblem = (answer: LightMyRequestResponse, status: number, code: string) => {
  const body = answer.json<Record<string, unknown>>();
  expect([answer.statusCode, body['status'], body['code']]).toEqual([status, status, code]);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body['type']).toBe(`urn:parlance:problem:${code}`);
  expect(body['message']).toBe(body['detail']);
  expect(body['request_id']).toBe(answer.headers['x-request-id']);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(body['detail']).toMatch(/^[A-Z].*[^.]\.$/s);
  if (status === 400) expect(body['errors']).toEqual(expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]));
  return body as { detail: string; errors?: { path: string; message: string }[] };
};

describe('a refusal', () => {
  it('becomes a problem with its code, and says when to come back', async () => {
    const answer = await get('/things/fail/limited');
    expect(isProblem(answer, 429, 'throttled').detail).toBe('Too many requests: wait.');
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.body).not.toContain('secret');
  });

  it('is answered when streams or dependencies stand against it', async () => {
    isProblem(await get('/things/fail/conflict'), 409, 'version_conflict');
    const down = await get('/things/fail/breaker');
    isProblem(down, 503, 'dependency_unavailable');
    expect(down.headers['retry-after']).toBe('5');
    expect(down.body).not.toContain('inference');
  });

  it.each(['bug', 'text', 'nothing'])('that is unexpected tells nothing of the inside (%s)', async (how) => {
    const answer = await get(`/things/fail/${how}`);
    isProblem(answer, 500, 'internal_error');
    expect(answer.body).not.toMatch(/password|10\.0|a text|at /);
  });

  it('is answered where there is no such route or method', async () => {
    isProblem(await get('/nothing'), 404, 'no_such_route');
    isProblem(await ask({ method: 'PUT', url: '/things' }), 404, 'no_such_route');
    isProblem(await get('/things/%zz'), 400, 'malformed_request');
    isProblem(await get(`/things/by-id/${'x'.repeat(300)}`), 400, 'malformed_request');
  });
});

describe('a body', () => {
  const good = { message: { content: [{ content_type: 'text', body: 'hi' }] } };

  it('arrives as an instance of its class, nested ones by their discriminator', async () => {
    expect((await post(JSON.stringify(good))).json()).toEqual({ made: true, part: 'TextPart' });
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { ...good, role: 'admin' }, 'role'],
    ['an unknown field deep inside', { message: { content: [{ content_type: 'text', body: 'x', role: 1 }] } }, 'message.content[0].role'],
    ['a field too long', { message: { content: [{ content_type: 'text', body: 'x'.repeat(21) }] } }, 'message.content[0].body'],
    ['a field missing', { message: { content: [{ content_type: 'image' }] } }, 'message.content[0].media_type'],
    ['an unknown kind', { message: { content: [{ content_type: 'toString' }] } }, 'message.content[0].content_type'],
    ['a text in place of an object', { message: { content: ['x'] } }, 'message.content[0]'],
    ['too many', { message: { content: [1, 2, 3, 4] } }, 'message.content'],
    ['a number in text', { ...good, count: '5' }, 'count'],
    ['an operator of a database', { ...good, count: { $ne: 1 } }, 'count'],
    ['nothing', {}, 'message'],
    ['an array', [], ''],
    ['null', null, ''],
  ])('with %s is refused, the place named', async (_, body, path) => {
    const { errors } = isProblem(await post(JSON.stringify(body)), 400, 'invalid_body');
    expect(errors?.map((error) => error.path)).toEqual([path]);
  });

  it('has a detail that is a sentence, also where one of several values is wrong', async () => {
    expect(isProblem(await post(JSON.stringify({ ...good, tags: ['a', 1] })), 400, 'invalid_body')).toMatchObject({
      detail: 'The field tags is not valid: each value must be a string.',
      errors: [{ path: 'tags', message: 'is not valid: each value must be a string' }],
    });
  });

  it('names no more than twenty faults', async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`f${nth}`, 1]));
    expect(isProblem(await post(JSON.stringify(body)), 400, 'invalid_body').errors).toHaveLength(20);
  });

  it('that is no JSON, no UTF-8, poisoned or ambiguous is malformed', async () => {
    for (const body of ['{', '{"a":1e309}', '{"__proto__":{}}', '{"a":1,"a":2}', Buffer.from([0x22, 0xff, 0x22])]) {
      isProblem(await post(body), 400, 'malformed_body');
    }
    isProblem(await post(''), 400, 'invalid_body');
  });

  it('of another content type or too large is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=a']) {
      isProblem(await post('a', '/things', type), 415, 'unsupported_media_type');
    }
    isProblem(await post(' '.repeat(1024 * 1024 + 1)), 413, 'body_too_large');
    isProblem(await post(' '.repeat(101), '/things/small'), 413, 'body_too_large');
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

  it('are refused on a route that takes none', async () => {
    expect(isProblem(await get('/things/fail/bug?debug=1'), 400, 'invalid_query').errors).toEqual([
      { path: 'debug', message: 'is not a known parameter' },
    ]);
  });
});

describe('an id in the path', () => {
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

describe('who calls', () => {
  it('is known from the signed statement, with address, request and correlation id', async () => {
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

  it('is unknown without a valid statement, and then a route without decorator is closed', async () => {
    for (const headers of [{}, signed({ kind: 'anonymous', sub: null }), { 'x-parlance-caller': `${signed()['x-parlance-caller']}x.` }]) {
      const answer = await get('/things/me', headers);
      isProblem(answer, 401, 'sign_in_required');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('decides what may be called', async () => {
    const remove = (groups: string[]) => ask({ method: 'DELETE', url: '/things/all', headers: signed({ groups }) });
    expect((await remove(['Admin'])).statusCode).toBe(204);
    isProblem(await remove(['PublishAllowed']), 403, 'group_required');
    const sync = (statement: Partial<CallerStatement>) => ask({ method: 'POST', url: '/things/sync', headers: signed(statement) });
    isProblem(await sync({ groups: ['Admin'] }), 404, 'no_such_route');
    expect((await sync({ sub: 'bots', kind: 'service', call: true })).json()).toMatchObject({ userId: 'bots', kind: 'service' });
  });

  it('may call its browser whatever it likes, of which not all is kept', async () => {
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

  it('is turned away before the body is read', async () => {
    const answer = await ask({ method: 'POST', url: '/things/sync', payload: '{', headers: { 'content-type': 'application/json' } });
    isProblem(answer, 404, 'no_such_route');
  });

  it('keeps a well-formed request id, and gets one else', async () => {
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

  it('that takes too long is given in its place, a stream excepted', async () => {
    const [late, dozing] = [await over('sleep'), over('doze')];
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await late.json()).toMatchObject({ code: 'answer_timeout', request_id: late.headers.get('x-request-id') });
    // The handler's own answer has to find no client, and the one that may take its time goes on.
    await over('sleep');
    slept.emit('wake', { awake: true });
    expect(await (await dozing).json()).toEqual({ awake: true });
  });

  it('that has waited for the rest of the request blames the client, and is the last on its connection', async () => {
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
    ['whose headers come too slowly', 'GET /things HTTP/1.1\r\nHost: a\r\n', '408', 'request_timeout'],
    [
      'whose body comes too slowly',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      '408',
      'request_timeout',
    ],
    ['that talks no HTTP', 'hello\r\n\r\n', '400', 'malformed_request'],
    ['with endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431', 'headers_too_large'],
  ])('%s is answered and closed', async (_, lines, status, code) => {
    const answer = await talk(lines, hasty);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).not.toMatch(/^server:/im);
  });
});

describe('an application', () => {
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
