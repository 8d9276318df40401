import { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import type { FastifyReply } from 'fastify';
import { FailedCall } from './failed-call.ts';
import { isTransient } from './transient.ts';
import { RequestContext } from '@parlance/observability';
import type { AuditRecorder, RefusedAction } from '../access/audit-recorder.ts';
import { refusedActionOf } from '../access/audited.ts';
import { type ProblemAnswer, problemOf } from './problem.ts';

const logger = new Logger('Problems');

/**
 * Answers with the problem that an error comes to, through Fastify or, after a hijack, on the bare response. An answer
 * that has begun can't become another one: its connection is cut, so that no client takes a part for the whole.
 */
export function problem(reply: FastifyReply | ServerResponse, error: unknown, requestId?: string): void {
  const found = problemOf(error, requestId);
  const { status, headers, body, unforeseen } = honest(found, RequestContext.current(), requestId);
  // What a dependency failed with is for us alone.
  if (error instanceof Refusal && error.cause instanceof FailedCall) error.cause.log();
  else if (error instanceof Refusal && error.cause !== undefined) logger.warn(`${error.code}: ${String(error.cause)}`);
  else if (!(error instanceof Refusal) && isTransient(error)) logger.warn(String(error));
  if (unforeseen) logger.error(error instanceof Error ? error.message : String(error), error instanceof Error ? error.stack : undefined);
  const raw = reply instanceof ServerResponse ? reply : reply.raw;
  if (raw.headersSent || (raw !== reply && (reply as FastifyReply).sent)) {
    if (!raw.writableEnded) raw.destroy();
  } else if (reply instanceof ServerResponse) reply.writeHead(status, headers).end(JSON.stringify(body));
  else {
    const form = reply.request.routeOptions?.config?.policy?.refusalForm;
    // A text, so that no serializer of the route's own answers gets hold of it.
    if (form)
      reply
        .code(status)
        .headers({ ...headers, 'content-type': form.mediaType })
        .send(JSON.stringify(form.of(body)));
    else reply.code(status).headers(headers).send(JSON.stringify(body));
  }
}

/**
 * An answer of 5xx means that the request had no effect. Where it had one, the answer says so and names what was changed. A change
 * that queries do not show yet can also come back as 404, which would be as wrong.
 */
function honest(found: ProblemAnswer, context: RequestContext | undefined, requestId?: string): ProblemAnswer {
  const recorded = context?.recorded;
  if (!recorded || !(found.status >= 500 || (found.status === 404 && context.behind))) return found;
  const ids = [...new Set(recorded.map(idInStream))].join(', ');
  const detail: Sentence = `The change was recorded (${ids}) but the answer could not be completed. Do not repeat the request; look it up later.`;
  const refusal = problemOf(refuse('unavailable', 'recorded_not_visible', detail), requestId);
  const { 'retry-after': _, ...headers } = refusal.headers;
  return { ...refusal, headers, unforeseen: found.unforeseen };
}

/**
 * Whatever a handler, guard, pipe or hook refuses, and whatever Fastify refuses by itself, answered as problem+json. All of
 * it comes by here, so here the refusals of audited routes are put on record; other answers don't wait.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** Null for an application without audited routes. */
  constructor(private readonly audit: AuditRecorder | null) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { request } = reply;
    const refused = this.audit && refusedActionOf(request, error);
    if (this.audit && refused) void answerOnRecord(reply, error, this.audit, refused);
    else problem(reply, error, request.requestId);
  }
}

/** Never rejects: Nest does not wait for a filter. What can't be put on record is not refused but put off. */
async function answerOnRecord(reply: FastifyReply, error: unknown, audit: AuditRecorder, refused: RefusedAction): Promise<void> {
  const answer = await audit.record(refused).then(
    () => error,
    (putOff: unknown) => putOff,
  );
  problem(reply, answer, reply.request.requestId);
}
