import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallerStatement, SESSION_HEADER } from '@parlance/http';

/**
 * Passes a client's whole request on to a service, and the service's answer back, bodies streamed both ways. To be
 * called from an `onRequest` hook, before any of the body is read; the hook's `done` is not called then.
 * A service that is down is answered with the problem `service_unavailable`; a client that goes away ends the
 * request at the service. Headers set on the bare response before are sent with the answer, where the service sets no other.
 */
export abstract class ServiceForward {
  /** `statement` is what the edge has found out about the caller; nothing of that kind is taken from the client. */
  abstract forward(service: string, request: FastifyRequest, reply: FastifyReply, statement: CallerStatement): void;
}

const OURS = 'x-parlance-';

/** Takes request and reply out of Fastify's hands, and makes the request's headers those that a service may see. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): { req: IncomingMessage; res: ServerResponse } {
  reply.hijack();
  const { raw: req } = request;
  const { raw: res } = reply;
  const { headers } = req;
  const dropped = namedBy(headers.connection);
  // Not `delete`, which would make each later look at the headers dear.
  for (const name in headers) if ((name.startsWith(OURS) && name !== SESSION_HEADER) || dropped?.has(name)) headers[name] = undefined;
  // What it names is gone: left in place, it could make the next hop drop the statement.
  headers.connection = undefined;
  req.headers['x-request-id'] = request.requestId;
  return { req, res };
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
