import { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailedCall } from './failed-call.ts';
import { withLookUp } from './look-up.ts';
import { pathWithin } from './readable-paths.ts';
import { isTransient } from './transient.ts';
import { RequestContext } from '@parlance/observability';
import type { AuditRecorder, RefusedAction } from '../access/audit-recorder.ts';
import { refusedActionOf } from '../access/audited.ts';
import { type ProblemAnswer, problemOf } from './problem.ts';
import { CODE_HEADER } from './refusal-form.ts';

const logger = new Logger('Problems');

/**
 * Answers with the problem of an error, through Fastify or, after a hijack, on the raw response. If the answer has already begun, the
 * connection is closed, so that no client treats an incomplete answer as complete.
 */
export function problem(reply: FastifyReply | ServerResponse, error: unknown, requestId?: string): void {
  const found = problemOf(error, requestId);
  const { status, headers, body, unforeseen } = honest(
    found,
    RequestContext.current(),
    reply instanceof ServerResponse ? null : reply.request,
  );
  // The error of a dependency is logged and not shown to the caller.
  if (error instanceof Refusal && error.cause instanceof FailedCall) error.cause.log();
  else if (error instanceof Refusal && error.cause !== undefined) logger.warn(`${error.code}: ${String(error.cause)}`);
  else if (error instanceof StoreUnavailable) logger.warn(`${error.message} ${String(error.cause)}`);
  else if (!(error instanceof Refusal) && isTransient(error)) logger.warn(String(error));
  if (unforeseen) logger.error(error instanceof Error ? error.message : String(error), error instanceof Error ? error.stack : undefined);
  const raw = reply instanceof ServerResponse ? reply : reply.raw;
  if (raw.headersSent || (raw !== reply && (reply as FastifyReply).sent)) {
    if (!raw.writableEnded) raw.destroy();
  } else if (reply instanceof ServerResponse) reply.writeHead(status, headers).end(JSON.stringify(body));
  else if (reply.request.refusalPage) reply.code(302).header('location', reply.request.refusalPage(body.code)).send();
  else {
    const form = reply.request.routeOptions?.config?.policy?.refusalForm;
    // As a string, because the route's serializer would be applied to an object.
    if (form)
      reply
        .code(status)
        .headers({ ...headers, 'content-type': form.mediaType, [CODE_HEADER]: body.code })
        .send(JSON.stringify(form.of(body)));
    else reply.code(status).headers(headers).send(JSON.stringify(body));
  }
}

/**
 * A 5xx answer means that the request had no effect. If it had an effect, the answer states this and names the changed resources. The same
 * applies to a 404 that a query returns because it does not show the change yet.
 */
function honest(found: ProblemAnswer, context: RequestContext | undefined, request: FastifyRequest | null): ProblemAnswer {
  const recorded = context?.recorded;
  if (!recorded || !(found.status >= 500 || (found.status === 404 && context.behind))) return found;
  const ids = [...new Set(recorded.map(idInStream))].join(', ');
  const detail: Sentence = `The change was recorded (${ids}) but the answer could not be completed. Do not repeat the request; look it up later.`;
  const lookUp = request && lookUpOf(request);
  const facts = lookUp ? { look_up: pathWithin(request.url, lookUp) } : {};
  const refusal = problemOf(refuse('unavailable', 'recorded_not_visible', detail, facts), request?.requestId);
  const { 'retry-after': _, ...headers } = refusal.headers;
  return { ...refusal, headers, unforeseen: found.unforeseen };
}

const lookUpOf = ({ server, routeOptions }: FastifyRequest): string | null => server.readable?.nearest(routeOptions.url ?? '') ?? null;

/**
 * Answers every refusal of handlers, guards, pipes, hooks and Fastify as problem+json. It also records the refusals of audited routes
 * before they are answered.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** Null for an application without audited routes. */
  constructor(private readonly audit: AuditRecorder | null) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { request } = reply;
    const refused = this.audit && refusedActionOf(request, error);
    const { method, url, headers, statement } = request;
    const shown = withLookUp(error, { method, url, headers, statement, lookUp: lookUpOf(request) });
    if (this.audit && refused) void answerOnRecord(reply, shown, this.audit, refused);
    else problem(reply, shown, request.requestId);
  }
}

/** Never rejects, because Nest does not wait for a filter. If a refusal cannot be recorded, the answer asks the caller to retry. */
async function answerOnRecord(reply: FastifyReply, error: unknown, audit: AuditRecorder, refused: RefusedAction): Promise<void> {
  const answer = await audit.record(refused).then(
    () => error,
    (putOff: unknown) => putOff,
  );
  problem(reply, answer, reply.request.requestId);
}
