import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallerStatement, SESSION_HEADER } from '@parlance/http';

/**
 * Forwards a client's request to a service, and the answer to the client. Bodies are streamed in both directions. Call it from an
 * `onRequest` hook before the body is read, and do not call the hook's `done` then. If the service is down, the answer is the problem
 * `service_unavailable`. If the client disconnects, the request at the service ends. Headers that were set on the raw response are sent
 * with the answer, unless the service sets them.
 */
export abstract class ServiceForward {
  /** `statement`: the edge's facts about the caller. A statement sent by the client is removed. */
  abstract forward(service: string, request: FastifyRequest, reply: FastifyReply, statement: CallerStatement): void;
}

const OURS = 'x-parlance-';

/** Takes over request and reply from Fastify, and removes the headers that a service must not see. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): { req: IncomingMessage; res: ServerResponse } {
  reply.hijack();
  const { raw: req } = request;
  const { raw: res } = reply;
  const { headers } = req;
  const dropped = namedBy(headers.connection);
  // `delete` would make each later access to the headers slow.
  for (const name in headers) if ((name.startsWith(OURS) && name !== SESSION_HEADER) || dropped?.has(name)) headers[name] = undefined;
  // The headers that it names are removed. If it stayed, the next hop could drop the statement.
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
