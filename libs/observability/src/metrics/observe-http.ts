import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logging.ts';
import type { Metrics } from './metrics.ts';
import { RequestContext } from '../request-context.ts';
import { newTraceparent, readTraceparent } from '../tracing/traceparent.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

export interface HttpObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/**
 * Reports every answered request: a span, a metric and a log line. The request's context, opened by an earlier hook, is moved below the
 * span. A request that was refused before this hook has no span.
 *
 * The line has the level debug (warn for 5xx), because metrics and the audit log have the same facts, and at info it would cost 5 µs of a
 * request's 30. It contains the route's pattern, and no value of a path or query.
 */
export function observeHttp(instance: FastifyInstance, { logger, metrics, tracing }: HttpObserver): void {
  instance.decorateRequest('span', null);

  instance.addHook('onRequest', (request, _reply, next) => {
    const { headers, method } = request;
    const parent = RequestContext.current()?.traceparent ?? readTraceparent(headers.traceparent);
    request.span = tracing.begin(`${method} ${routeOf(request)}`, { kind: 'server', ...(parent && { parent }) });
    const traceparent = request.span.traceparent ?? newTraceparent();
    RequestContext.trace(traceparent);
    // For code that passes the request on as it is.
    headers.traceparent = traceparent;
    next();
  });

  instance.addHook('onResponse', (request, reply, next) => {
    const route = routeOf(request);
    const { method, span } = request;
    const status = reply.statusCode;
    const milliseconds = reply.elapsedTime;
    metrics.request(method, route, status, milliseconds / 1000);
    if (span) {
      span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
      span.end(status >= 500 ? new Error(`status ${status}`) : undefined);
    }
    const level = status >= 500 ? 'warn' : 'debug';
    if (logger.isLevelEnabled(level)) logger[level]({ method, route, status, ms: Math.round(milliseconds * 100) / 100 }, 'answered');
    next();
  });
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
}
