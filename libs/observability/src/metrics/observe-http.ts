import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logging.ts';
import type { Metrics } from './metrics.ts';
import { RequestContext } from '../request-context.ts';
import { newTraceparent, readTraceparent } from '../tracing/traceparent.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, and its context, which the answer's last event does not have. */
    observed: { readonly span: Span; readonly context: RequestContext | undefined } | null;
  }
}

export interface HttpObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** The route name of requests that match no route. */
const UNMATCHED = 'unmatched';

/**
 * Reports every answered request: a span, a metric and a log line. The request's context, opened by an earlier hook, is moved below the
 * span. A request that was refused before this hook has no span.
 *
 * The line has the level debug (warn for 5xx), because metrics and the audit log have the same facts, and at info it would cost 5 of the 30 µs
 * of a request. It contains the route's pattern, and no value of a path or query.
 */
export function observeHttp(instance: FastifyInstance, observer: HttpObserver): void {
  instance.decorateRequest('observed', null);

  instance.addHook('onRequest', (request, _reply, next) => {
    const [route, context] = [routeOf(request), RequestContext.current()];
    if (context && route !== UNMATCHED) context.route = route;
    request.observed = { span: beginRequest(observer, request.raw, route, context), context };
    next();
  });

  instance.addHook('onResponse', (request, reply, next) => {
    const { method, observed } = request;
    const { context, span = null } = observed ?? {};
    endRequest(observer, { method, route: context?.route ?? routeOf(request), span, context }, reply.statusCode, reply.elapsedTime);
    next();
  });
}

/** Opens the span of a request, and moves the request's context and its header below the span. */
export function beginRequest(
  { tracing }: HttpObserver,
  { method, headers }: IncomingMessage,
  route: string,
  context: RequestContext | undefined,
): Span {
  const parent = context?.traceparent ?? readTraceparent(headers.traceparent);
  const span = tracing.begin(`${method} ${route}`, { kind: 'server', ...(parent && { parent }) });
  const traceparent = span.traceparent ?? newTraceparent();
  if (context) context.traceparent = traceparent;
  // For code that forwards the request unchanged.
  headers.traceparent = traceparent;
  return span;
}

interface EndedRequest {
  readonly method: string;
  readonly route: string;
  readonly span: Span | null;
  readonly context: RequestContext | undefined;
}

/** Reports an answered request, in its context. `span` is null for a request that was refused before it had a span. */
export function endRequest(
  { logger, metrics }: HttpObserver,
  { method, route, span, context }: EndedRequest,
  status: number,
  milliseconds: number,
): void {
  metrics.request(method, route, status, milliseconds / 1000);
  if (span) {
    // The edge finds the route of a request after its span has begun.
    span.rename(`${method} ${route}`);
    span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
    span.end(status >= 500 ? new Error(`status ${status}`) : undefined);
  }
  const level = status >= 500 ? 'warn' : 'debug';
  if (!logger.isLevelEnabled(level)) return;
  const write = () => logger[level]({ method, route, status, ms: Math.round(milliseconds * 100) / 100 }, 'answered');
  if (context) RequestContext.run(context, write);
  else write();
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? UNMATCHED : (request.routeOptions.url ?? UNMATCHED);
}
