import { type IncomingMessage, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { openLogging } from '../logging/logging.ts';
import type { Metrics } from './metrics.ts';
import { observeHttp } from './observe-http.ts';
import { RequestContext } from '../request-context.ts';
import { type Attributes, type Span, type SpanOptions, Tracing } from '../tracing/tracing.ts';

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const mine = '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01';

/** A tracing that records its spans. */
class Notebook extends Tracing {
  readonly isRecorded = true;

  readonly ended: { name: string; options: SpanOptions; attributes: Attributes; error: unknown }[] = [];

  begin(begun: string, options: SpanOptions = {}): Span {
    let attributes: Attributes = {};
    let name = begun;
    return {
      traceparent: mine,
      rename: (other) => void (name = other),
      set: (more) => void (attributes = { ...attributes, ...more }),
      end: (error) => void this.ended.push({ name, options, attributes, error }),
    };
  }

  inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
    return work(this.begin(name, options));
  }
}

describe('an observed server', () => {
  const app = fastify();
  const tracing = new Notebook();
  const written: string[] = [];
  const measured: unknown[][] = [];
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);

  beforeAll(async () => {
    const logger = openLogging({ level: 'debug', destination: { write: (line) => void written.push(line) } }).for('bots');
    const metrics = { request: (...facts: unknown[]) => void measured.push(facts) } as Partial<Metrics> as Metrics;
    app.addHook('onRequest', (_request, _reply, next) => {
      RequestContext.run({ ...RequestContext.background(), requestId: 'r-1' }, next);
    });
    observeHttp(app, { logger, metrics, tracing });
    app.get('/bot/:id', () => RequestContext.current());
    app.post('/bot', () => RequestContext.current());
    app.all('/passed-on/*', async () => {
      RequestContext.routed('/passed-on/{id}');
      return {};
    });
    app.get('/fails', () => Promise.reject(new Error('inside')));
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  /** Sends a body in two parts, so that the second is read long after the request began. */
  async function post(): Promise<string> {
    const { port } = app.server.address() as AddressInfo;
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/bot',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    await new Promise((resolve) => outgoing.write('{"a":', resolve));
    // The first part has been read when this is answered.
    const other = await app.inject('/bot/other');
    expect(other.statusCode).toBe(200);
    outgoing.end('1}');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  it('moves each request’s context below its span', async () => {
    const response = await app.inject({ url: '/bot/1?api_key=canary', headers: { traceparent: parent } });
    expect(response.json()).toMatchObject({ traceparent: mine });
    expect(tracing.ended.at(-1)).toEqual({
      name: 'GET /bot/:id',
      options: { kind: 'server', parent },
      attributes: { 'http.request.method': 'GET', 'http.route': '/bot/:id', 'http.response.status_code': 200 },
      error: undefined,
    });
  });

  it('names the span after the route that the request was found to be for', async () => {
    await app.inject('/passed-on/canary');
    expect(tracing.ended.at(-1)).toMatchObject({ name: 'GET /passed-on/{id}', attributes: { 'http.route': '/passed-on/{id}' } });
  });

  it('keeps the context while a slow body arrives', async () => expect(JSON.parse(await post())).toMatchObject({ requestId: 'r-1' }));

  it('records the pattern of the route, without path and query', async () => {
    await app.inject('/bot/canary?x=canary');
    expect(lines().at(-1)).toMatchObject({
      level: 'debug',
      request_id: 'r-1',
      method: 'GET',
      route: '/bot/:id',
      status: 200,
      ms: expect.any(Number),
    });
    expect(measured.at(-1)).toEqual(['GET', '/bot/:id', 200, expect.any(Number)]);
    expect(written.join()).not.toContain('canary');
  });

  it('records all unknown paths as one route', async () => {
    await app.inject('/nowhere/1');
    await app.inject('/nowhere/2');
    expect(lines().at(-1)).toMatchObject({ route: 'unmatched', status: 404 });
    expect(measured.slice(-2).map((facts) => facts[1])).toEqual(['unmatched', 'unmatched']);
  });

  it('logs 5xx answers as warnings', async () => {
    await app.inject('/fails');
    expect(lines().at(-1)).toMatchObject({ level: 'warn', status: 500 });
    expect(tracing.ended.at(-1)?.error).toBeInstanceOf(Error);
  });

  it('starts a trace for a request without one, without recording it', async () => {
    const edge = fastify();
    const quiet = new Notebook();
    quiet.begin = () => ({ traceparent: undefined, rename() {}, set() {}, end() {} });
    const logger = openLogging({ level: 'silent', destination: { write() {} } }).for('edge');
    observeHttp(edge, { logger, metrics: { request() {} } as Partial<Metrics> as Metrics, tracing: quiet });
    edge.get('/', (request) => request.headers.traceparent);
    const { body } = await edge.inject('/');
    expect(body).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});
