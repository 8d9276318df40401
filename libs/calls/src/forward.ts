import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallerStatement, SESSION_HEADER } from '@parlance/http';

/**
 * Forwards a client's request to a service and returns its answer, streaming both bodies. Call it from an `onRequest` hook before the
 * body is read, and do not call the hook's `done`. If the service is down, the client gets the problem `service_unavailable`. If the
 * client disconnects, the request to the service ends. Headers already set on the raw response are sent unless the service sets them.
 */
export abstract class ServiceForward {
  /** `statement` is the edge's statement about the caller. Such a header from the client is dropped. */
  abstract forward(service: string, request: FastifyRequest, reply: FastifyReply, statement: CallerStatement): void;
}

const OURS = 'x-parlance-';

/** Hijacks request and reply from Fastify, and removes the request headers that a service must not receive. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): { req: IncomingMessage; res: ServerResponse } {
  reply.hijack();
  const { raw: req } = request;
  const { raw: res } = reply;
  const { headers } = req;
  const dropped = namedBy(headers.connection);
  // `delete` would slow down each later access to the headers.
  for (const name in headers) if ((name.startsWith(OURS) && name !== SESSION_HEADER) || dropped?.has(name)) headers[name] = undefined;
  // The headers that it names are removed. If it remained, it could make the next hop drop the statement.
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
