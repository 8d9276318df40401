import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { refuse } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import { IsInt, IsString } from 'class-validator';
import type { FastifyInstance } from 'fastify';
import { Caller, CallerStatements, createHttpApplication, Internal, Needs } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import { HttpCalls } from './http.ts';
import { HttpTargets } from './http-targets.ts';
import { LocalCalls, LocalServices } from './in-process.ts';
import { type CallOptions, HARMLESS, type ServiceCalls } from './service-calls.ts';

class AskQuery {
  @IsInt() count!: number;
  @IsString() text!: string;
}

class SayBody {
  @IsString() text!: string;
}

@Internal()
@Controller('internal')
class TargetController {
  @Get('ask')
  ask(@Query() query: AskQuery, @Caller() caller: Caller) {
    const { requestId, correlationId, traceparent, ip } = RequestContext.current() ?? {};
    return { query, caller, context: { requestId, correlationId, traceparent, ip } };
  }

  @Post('say')
  say(@Body() body: SayBody) {
    if (body.text === 'Too often.') throw refuse('limited', 'throttled', 'Too often.', { retry_after: 7 });
    if (body.text === 'taken') throw refuse('conflict', 'bot_pinned', 'It is pinned.');
    if (body.text === 'later') throw refuse('unavailable', 'provider_down', 'The provider is down.', { retry_after: 3 });
    if (body.text === 'unconfirmed')
      throw refuse('unavailable', 'outcome_unknown', 'The database did not confirm the change.', { retry_after: 5 });
    if (body.text === 'bug') throw new Error('secret');
    if (body.text === 'forever') return new Promise(() => {});
    return body.text === 'nothing' ? undefined : body;
  }

  @Needs('Admin')
  @Get('admin')
  admin() {
    return {};
  }
}

@Module({ controllers: [TargetController] })
class TargetModule {}

const statements = new CallerStatements(Buffer.alloc(32, 1));
const signing = { statements, self: 'bots' };
const ada: Caller = { userId: 'u1', email: 'a@b.c', groups: ['G'], sessionId: 's1', kind: 'user' };
const context: RequestContext = {
  requestId: 'r-1',
  correlationId: 'c-1',
  causationId: null,
  caller: ada,
  ip: '203.0.113.7',
  userAgent: null,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

let app: NestFastifyApplication;
let targets: HttpTargets;
const calls: Record<string, ServiceCalls> = {};

beforeAll(async () => {
  app = await createHttpApplication(TargetModule, { statements, logger: false });
  await app.listen(0, '127.0.0.1');
  const services = new LocalServices();
  await services.enter('inference', app.getHttpAdapter().getInstance() as unknown as FastifyInstance);
  targets = new HttpTargets({ inference: `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}` });
  calls['in the process'] = new LocalCalls(services, signing);
  calls['over HTTP'] = new HttpCalls(targets, signing);
});
afterAll(async () => {
  await targets.close(10);
  await app.close();
});

const refusal = (kind: string, code: string, facts = {}) => expect.objectContaining({ kind, code, facts: expect.objectContaining(facts) });

describe.each(['in the process', 'over HTTP'])('calls between services %s', (way) => {
  const say = (text: string) => calls[way]!.post('inference', '/internal/say', { text });

  it('pass on request, correlation, trace, address and caller', async () => {
    const answer = RequestContext.run(context, () =>
      calls[way]!.get('inference', '/internal/ask', { query: { count: 5, text: 'a&b=ü', gone: undefined } }),
    );
    const { requestId, correlationId, traceparent, ip } = context;
    expect(await answer).toEqual({
      query: { count: 5, text: 'a&b=ü' },
      caller: ada,
      context: { requestId, correlationId, traceparent, ip },
    });
  });

  it('use the service itself as the caller outside a request, or the caller in the options', async () => {
    const query = { count: 1, text: '' };
    const alone = await calls[way]!.get<{ caller: Caller }>('inference', '/internal/ask', { query });
    expect(alone.caller).toEqual({ userId: 'bots', groups: [], sessionId: null, kind: 'service' });
    const named = await calls[way]!.get<{ caller: Caller }>('inference', '/internal/ask', { query, caller: { ...ada, kind: 'system' } });
    expect(named.caller).toEqual({ ...ada, kind: 'system' });
  });

  it('return the answer, or undefined for an empty answer', async () => {
    expect(await say('hello')).toEqual({ text: 'hello' });
    expect(await say('nothing')).toBeUndefined();
  });

  it("throw the other service's refusal", async () => {
    await expect(say('taken')).rejects.toEqual(refusal('conflict', 'bot_pinned'));
    await expect(say('taken')).rejects.toThrow('It is pinned.');
    await expect(say('Too often.')).rejects.toEqual(refusal('limited', 'throttled', { retry_after: 7 }));
    await expect(say('later')).rejects.toEqual(refusal('unavailable', 'provider_down', { retry_after: 3 }));
    await expect(calls[way]!.post('inference', '/internal/say', { txt: 1 })).rejects.toEqual(
      refusal('invalid', 'invalid_body', { errors: expect.arrayContaining([{ path: 'txt', message: 'is not a known field' }]) }),
    );
    await expect(calls[way]!.get('inference', '/internal/none')).rejects.toEqual(refusal('missing', 'no_such_route'));
    await expect(calls[way]!.get('inference', '/internal/admin')).rejects.toEqual(refusal('unauthenticated', 'sign_in_required'));
  });

  it('are unavailable if the other service fails or does not exist', async () => {
    const down = refusal('unavailable', 'service_unavailable', { retry_after: 5 });
    await expect(say('bug')).rejects.toEqual(down);
    await expect(calls[way]!.get('unknown', '/')).rejects.toEqual(down);
    await expect(calls[way]!.post('unknown', '/', {})).rejects.toEqual(down);
    await expect(say('bug')).rejects.toThrow(/^The service inference cannot be reached now\. Try again later\.$/);
  });

  it('have an unknown outcome if the other service does not answer a command, and are unavailable if it was a query', async () => {
    const wait = (options: CallOptions) => calls[way]!.post('inference', '/internal/say', { text: 'forever' }, { ...options, millis: 300 });
    await expect(wait({})).rejects.toEqual(refusal('unavailable', 'outcome_unknown', { retry_after: 5 }));
    await expect(wait(HARMLESS)).rejects.toEqual(refusal('unavailable', 'service_unavailable', { retry_after: 5 }));
  });

  it('have an unknown outcome if the other service does not know it, and are unavailable if it was a query', async () => {
    const write = (options: CallOptions) => calls[way]!.post('inference', '/internal/say', { text: 'unconfirmed' }, options);
    await expect(write({})).rejects.toEqual(refusal('unavailable', 'outcome_unknown'));
    await expect(write(HARMLESS)).rejects.toEqual(refusal('unavailable', 'service_unavailable', { retry_after: 5 }));
  });
});

describe('the breaker of a service over HTTP', () => {
  let server: Server;
  let healthy: boolean;
  let requests = 0;
  const breaking = () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const its = new HttpTargets({ inference: address }, { tryAgainAfter: 100 });
    return { its, ask: () => new HttpCalls(its, signing).get('inference', '/').catch((error: { code: string }) => error.code) };
  };

  beforeAll(async () => {
    server = createServer((_, response) => {
      requests++;
      if (healthy) response.end('{}');
      else response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('opens when half of ten calls fail, makes no calls while open, tries one after a while, and closes', async () => {
    const { its, ask } = breaking();
    const state = () => its.breakers()[0]?.state;
    healthy = true;
    for (let call = 0; call < 5; call++) await ask();
    healthy = false;
    for (let call = 0; call < 4; call++) await ask();
    expect(state()).toBe('closed');
    await ask();
    expect(state()).toBe('open');
    const before = requests;
    expect(await ask()).toBe('service_unavailable');
    expect(requests).toBe(before);
    healthy = true;
    await waitFor(() => state() === 'half_open', { what: 'the breaker to try again' });
    expect(await ask()).toEqual({});
    expect(state()).toBe('closed');
    await its.close(10);
  });

  it('shows that it is open if it is for the calls whose answers may begin late, while other calls go on', async () => {
    const others = new HttpTargets({ bots: 'http://127.0.0.1:1' }, { atLeast: 1 });
    const target = others.named('bots');
    const state = () => others.breakers()[0]?.state;
    const broken = () => Promise.reject(new Error('broken'));
    await expect(target.ask(false, broken, true)).rejects.toThrow('broken');
    expect(state()).toBe('open');
    expect(await target.ask(false, async () => 'answered')).toBe('answered');
    expect(state()).toBe('open');
    await others.close(10);
  });
});
