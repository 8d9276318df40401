import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestContext } from '../request-context.ts';
import { openTracing, type TraceExport } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;
const context: RequestContext = { ...RequestContext.background(), requestId: 'r-1', traceparent: parent };

interface Collected {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Collected, 'service'>[] }[];
  }[];
}

/** A collector that keeps the JSON bodies sent to /v1/traces. */
function collector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const spans = (): Collected[] =>
    bodies
      .flatMap((body) => (JSON.parse(body) as OtlpBody).resourceSpans)
      .flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')!.value.stringValue;
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
      });
  return { server, bodies, spans };
}

describe('tracing without a collector', () => {
  it('forwards the traceparent unchanged', async () => {
    const quiet = (await openTracing(null)).for('bots');
    const seen = await RequestContext.run(context, () =>
      quiet.inSpan('decide', { attributes: { a: 1 } }, async (span) => [span.traceparent, RequestContext.current()?.traceparent]),
    );
    expect(seen).toEqual([parent, parent]);
    const span = quiet.begin('call', { parent });
    span.set({ a: 1 });
    span.end();
    expect([span.traceparent, quiet.begin('alone').traceparent]).toEqual([parent, undefined]);
  });
});

describe('tracing to a collector', () => {
  const { server, bodies, spans } = collector();
  let traces: TraceExport;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    traces = await openTracing(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const edge = traces.for('edge');
    const bots = traces.for('bots');
    const sent = await RequestContext.run(context, () =>
      edge.inSpan('call bots', { kind: 'client', attributes: { 'http.url': 'http://x?token=zx9canary' } }, async (span) => {
        span.set({ tries: 1 });
        return RequestContext.current()?.traceparent;
      }),
    );
    await bots
      .inSpan('handle', { kind: 'consumer', ...(sent && { parent: sent }) }, () => Promise.reject(new Error('no, password=zx9canary')))
      .catch(() => {});
    bots.begin('timer').end();
    bots.begin('dropped', { parent: parent.replace(/01$/, '00') }).end();
    await traces.close();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends the spans of each service under its name', () => {
    expect(spans().map(({ service, name }) => `${service}: ${name}`)).toEqual(
      expect.arrayContaining(['edge: call bots', 'bots: handle', 'bots: timer']),
    );
  });

  it('makes the span of a called service a child of the caller’s span', () => {
    const byName = new Map(spans().map((span) => [span.name, span]));
    const [call, handle, timer] = ['call bots', 'handle', 'timer'].map((name) => byName.get(name)!);
    expect(call).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 3 });
    expect(handle).toMatchObject({ traceId, parentSpanId: call?.spanId, kind: 5 });
    expect(timer?.traceId).not.toBe(traceId);
  });

  it('marks failed spans, and contains no secret', () => {
    expect(spans().find(({ name }) => name === 'handle')?.status).toEqual({ code: 2, message: 'no, password=***' });
    expect(bodies.join()).not.toContain('zx9canary');
  });

  it('omits spans of a request that is not sampled', () => expect(spans().map(({ name }) => name)).not.toContain('dropped'));
});

describe('tracing to an unavailable collector', () => {
  it('does not fail the work, and logs a warning after the first attempt', async () => {
    const { server } = collector();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const warnings: string[] = [];
    const traces = await openTracing(`http://127.0.0.1:${port}`, (message) => warnings.push(message));
    expect(await traces.for('bots').inSpan('work', {}, () => Promise.resolve('done'))).toBe('done');
    await traces.close();
    expect(warnings).not.toEqual([]);
  });
});
