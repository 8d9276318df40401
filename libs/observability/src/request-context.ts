import { AsyncLocalStorage } from 'node:async_hooks';
import { type Instant, refuse } from '@parlance/decider';
import { type Metadata, newId } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import type { Caller } from './caller.ts';
import { readTraceparent } from './tracing/traceparent.ts';

/** Where a request came from. */
export interface Origin {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The request, caller and cause of the running code. */
export interface RequestContext {
  readonly requestId: string;
  readonly correlationId: string;
  /** The event that caused this work, or null. */
  readonly causationId: string | null;
  /** Unknown until the guard has run; see `identify`. */
  caller: Caller | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The user that the request concerns if the caller is unknown, such as the user of a sign-in. */
  concerns?: string;
  /** `ip` and `userAgent` as they are stored, sealed under the key of that user. */
  origin?: Origin & { readonly userId: string };
  /** The position in a trace. It moves below a span that is opened for the request. */
  traceparent?: string;
  /** The pattern of the request's route, never its path. The edge sets the route of the service that answers. */
  route?: string;
  /** Streams that this request has appended to. */
  recorded?: string[];
  /** The number of running appends of this request, whose effect is not known yet. */
  appending?: number;
  /** True once the request was answered with the statement that nothing happened. From then on it may not append. */
  isOver?: boolean;
  /** Awaited projections that do not include this request's appends. */
  behind?: string[];
  /** Names these projections in a header of the answer. */
  readonly onBehind?: (projections: readonly string[]) => void;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const tookTooLong = () =>
  refuse('unavailable', 'answer_timeout', 'The answer took too long, and nothing was changed. Try again later.', { retry_after: 5 });

export const RequestContext = {
  /** Runs `work` in this context. The context also applies to everything that `work` starts. */
  run<Result>(context: RequestContext, work: () => Result): Result {
    return storage.run(context, work);
  },

  current(): RequestContext | undefined {
    return storage.getStore();
  },

  /** Sets the caller of the current context as soon as the caller is known. */
  identify(caller: Caller): void {
    const context = storage.getStore();
    if (context) context.caller = caller;
  },

  /** Notes which registered user an anonymous request is about, so that its origin is sealed under their key. */
  concern(userId: string): void {
    const context = storage.getStore();
    if (context) context.concerns = userId;
  },

  /** The user whose key seals the origin (IP address and user agent) of stored events, or null. */
  userOf({ caller, concerns }: RequestContext): string | null {
    if (caller === null) return concerns ?? null;
    return caller.kind === 'user' || caller.kind === 'api' ? caller.userId : null;
  },

  /** Notes the pattern of the route that the request is for. */
  routed(route: string): void {
    const context = storage.getStore();
    if (context) context.route = route;
  },

  /** Notes the current span of this context. */
  trace(traceparent: string): void {
    const context = storage.getStore();
    if (context) context.traceparent = traceparent;
  },

  /** Called after each append of the request. From then on its answer may not state that nothing happened. */
  noteRecorded(stream: string): void {
    const context = storage.getStore();
    if (context) (context.recorded ??= []).push(stream);
  },

  /** Wraps each append of the request. Throws the refusal `answer_timeout` (unavailable) if the request was already answered at its time limit. */
  async appending<Result>(append: () => Promise<Result>): Promise<Result> {
    const context = storage.getStore();
    if (!context) return append();
    if (context.isOver) throw tookTooLong();
    context.appending = (context.appending ?? 0) + 1;
    try {
      return await append();
    } finally {
      context.appending--;
    }
  },

  /** Called if queries do not yet include the events that the request has appended. */
  noteBehind(projections: readonly string[]): void {
    const context = storage.getStore();
    if (!context || projections.length === 0) return;
    context.behind = [...new Set([...(context.behind ?? []), ...projections])];
    context.onBehind?.(context.behind);
  },

  /** The context of work without a request, such as a timer or a migration. */
  background(): RequestContext {
    const id = newId();
    return { requestId: id, correlationId: id, causationId: null, caller: null, ip: null, userAgent: null };
  },

  /**
   * The context in which a consumer handles an event: the same request, with the event as its cause. The actor is kept for the record but
   * has no rights, because events do not carry groups.
   */
  following(event: CloudEvent): RequestContext {
    const traceparent = readTraceparent(event.traceparent);
    return {
      requestId: event.requestid ?? event.id,
      correlationId: event.correlationid ?? event.requestid ?? event.id,
      causationId: event.id,
      caller: actorOf(event),
      ip: event.actorip ?? null,
      userAgent: event.actoragent ?? null,
      ...(traceparent && { traceparent }),
    };
  },

  /** The metadata of an append at this time in the current context. */
  metadata(at: Instant): Metadata {
    const context = storage.getStore() ?? RequestContext.background();
    const { ip, userAgent } = context.origin ?? context;
    return {
      at,
      actor: context.caller?.userId ?? null,
      ...(context.caller?.tokenId !== undefined && { token: context.caller.tokenId }),
      ip,
      userAgent,
      requestId: context.requestId,
      correlationId: context.correlationId,
      causationId: context.causationId,
      ...(context.traceparent && { traceparent: context.traceparent }),
    };
  },
};

function actorOf({ actor, actortoken }: CloudEvent): Caller | null {
  if (actor === undefined) return null;
  return { userId: actor, groups: [], sessionId: null, kind: 'system', ...(actortoken !== undefined && { tokenId: actortoken }) };
}
