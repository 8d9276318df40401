import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '@parlance/decider';
import { outcomeUnknown, unavailable } from '@parlance/calls';
import { CACHE_HEADER, type CallerStatement, hasEffect, SESSION_HEADER, withLookUp } from '@parlance/http';

/** A client's request to forward. Its body has not been read, and no part of its answer has been sent. */
export interface Forwarded {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Where the effect of the request can be looked up, as a pattern; null if nowhere. */
  readonly lookUp: string | null;
  /** The answer may begin late, such as that of a model. The service limits the time. */
  readonly mayBeginLate?: boolean;
  /** Requests with the same number go to the same replica, if possible. */
  readonly alike?: number | null;
  /** Called before the refusal if it is certain that no service received the request. */
  readonly onNeverSent?: () => void;
}

/**
 * Forwards a client's request to a service, and the answer to the client. Bodies are streamed in both directions. In a Fastify hook, call
 * `reply.hijack()` first, and do not call the hook's `done`. If the service is down, the answer is the problem `service_unavailable`, or
 * `outcome_unknown` for a command that the service may have received. If the client disconnects, the request at the service ends. Headers
 * that were set on the raw response are sent with the answer, unless the service sets them.
 */
export abstract class ServiceForward {
  /** `statement`: the edge's facts about the caller. A statement sent by the client is removed. */
  abstract forward(service: string, forwarded: Forwarded, statement: CallerStatement): void;

  /** The refusal of a request that begins work, if it is known before the body is read. A service in another process refuses it itself. */
  refusalOfWork(_service: string): Refusal | null {
    return null;
  }
}

/** Throws the refusal of a route that begins work, before anything is read, remembered or taken from a quota. */
export function requireRoom(
  services: ServiceForward,
  { service, operation }: { service: string; operation: { startsWork: boolean } },
): void {
  const refusal = operation.startsWork ? services.refusalOfWork(service) : null;
  if (refusal) throw refusal;
}

/** The refusal of a request that was not answered. `maybeReceived`: it is not certain that no service received the request. */
export function refusalOfLost(
  service: string,
  error: unknown,
  maybeReceived: boolean,
  { req, lookUp }: Forwarded,
  statement: CallerStatement,
) {
  const { method = '', url: path = '', headers } = req;
  if (!maybeReceived || !hasEffect(method)) return unavailable(service, error, { method, path });
  return withLookUp(outcomeUnknown(service, error, { method, path }), { method, url: path, headers, statement, lookUp });
}

const OURS = 'x-parlance-';
/** Headers with this prefix that clients may send. */
const OF_CLIENTS: ReadonlySet<string> = new Set([SESSION_HEADER, CACHE_HEADER]);

/** Removes the headers that a service must not see, and sets the request ID. */
export function cleanHeaders({ req: { headers }, requestId }: Forwarded): void {
  const dropped = namedBy(headers.connection);
  // `delete` would slow down each later access to the headers.
  for (const name in headers) if ((name.startsWith(OURS) && !OF_CLIENTS.has(name)) || dropped?.has(name)) headers[name] = undefined;
  // Removes the headers that `Connection` names. If it stayed, the next hop could drop the statement.
  headers.connection = undefined;
  headers['x-request-id'] = requestId;
}

function namedBy(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive') return null;
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}
