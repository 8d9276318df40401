import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, METRICS } from '@parlance/foundation';
import { type Caller, type OpenedRequest, problem } from '@parlance/http';
import { beginRequest, endRequest, type HttpObserver, type Logger, type Metrics, RequestContext, Tracing } from '@parlance/observability';
import { ServiceForward } from '../../adapters/forwarding/service-forward.ts';
import type { ServiceRoute } from '../../adapters/service-documents.ts';
import { removeCredentials } from '../authentication/authentication.ts';
import { queryInSnakeCase } from '../casing/request-casing.ts';
import { statementOf } from './statement.ts';

/** A request that passed every check. */
export interface AcceptedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly route: ServiceRoute;
  readonly caller: Caller;
  readonly opened: OpenedRequest;
  /** When the request arrived, by the clock of `performance`. */
  readonly start: number;
  readonly onNeverSent?: () => void;
}

/** Forwards requests without Fastify, and measures, traces and logs them as Fastify's hooks do. */
@Injectable()
export class HandOver {
  private readonly observer: HttpObserver;

  constructor(
    private readonly services: ServiceForward,
    @Inject(LOGGER) logger: Logger,
    @Inject(METRICS) metrics: Metrics,
    tracing: Tracing,
  ) {
    this.observer = { logger, metrics, tracing };
  }

  forward({ req, res, route, caller, opened: { requestId, context }, start, onNeverSent }: AcceptedRequest): void {
    const { method = '' } = req;
    const { pattern, lookUp } = route;
    context.caller = caller;
    context.route = pattern;
    const span = beginRequest(this.observer, req, pattern, context);
    res.on('finish', () => endRequest(this.observer, { method, route: pattern, span, context }, res.statusCode, performance.now() - start));
    removeCredentials(req);
    queryInSnakeCase(req, route.operation);
    RequestContext.run(context, () => {
      try {
        this.services.forward(
          route.service,
          onNeverSent ? { req, res, requestId, lookUp, onNeverSent } : { req, res, requestId, lookUp },
          statementOf(caller, requestId, context, undefined),
        );
      } catch (error) {
        problem(res, error, requestId);
      }
    });
  }
}
