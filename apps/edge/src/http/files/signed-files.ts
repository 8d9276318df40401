import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { refuse } from '@parlance/decider';
import { limitBodyElsewhere, limitUnread, linger, problem, sendContinue } from '@parlance/http';
import type { FileDoor } from '@parlance/object-store/doors';
import { RequestContext } from '@parlance/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { IssuedAddresses } from './issued-addresses.ts';
import { UPLOAD_LIMITS, watchPace } from './upload-pace.ts';

/** `streams`: a download may take longer than the time limit of answers, and so may the answer to an upload. */
const FOR_ANYONE = { policy: { access: { to: 'anyone' }, takesQuery: true, streams: true } } as const;
const ROUTE = '/files/*';
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** The gateway does not count these requests: see `SignedFiles`. */
export const isForSignedFile = (request: FastifyRequest): boolean => request.routeOptions.url === ROUTE;

/**
 * Serves the signed addresses of files at /files/: from the data directory, or by a redirect to the object store. The signature is the only
 * credential, and is checked before the body is read. An address expires with the session or token that it was issued to. Bodies are
 * streamed to the disk. The routes are not in the OpenAPI document, because clients receive complete addresses and do not construct them.
 * Only refused requests count towards the limit of anonymous requests: the request that issued the address was already counted.
 */
export class SignedFiles {
  /** Tests set shorter limits. */
  limits = UPLOAD_LIMITS;

  constructor(
    private readonly door: FileDoor,
    private readonly issued: IssuedAddresses,
    private readonly requestLimits: RequestLimits,
  ) {}

  install(instance: FastifyInstance): void {
    instance.route({
      method: METHODS,
      url: ROUTE,
      exposeHeadRoute: false,
      config: FOR_ANYONE,
      // The request is answered in a hook, so that Fastify does not read the body.
      onRequest: (request, reply) => this.answer(request, reply),
      handler: (_, reply) => reply,
    });
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { raw } = request;
    const [path = '', query = ''] = (raw.url ?? '').split(/\?(.*)/s);
    const body = bodyOf(raw);
    let isAccepted = false;
    const onAccept = () => {
      isAccepted = true;
      limitBodyElsewhere(raw);
      sendContinue(raw);
      raw.pipe(body);
      watchPace(raw, this.limits, () => {
        body.destroy(new Error('the upload was too slow'));
        answerTooSlow(request, reply);
      });
    };
    try {
      const { method } = request;
      const isInForce = (to: string) => this.issued.areInForce(to, reply.raw);
      const asked = { method, path, query: new URLSearchParams(query), headers: raw.headers, body, isInForce, onAccept };
      const answer = await this.door(asked);
      // `watchPace` has already answered the request.
      if (reply.sent) {
        if (answer.body instanceof Readable) answer.body.destroy();
        return reply;
      }
      const tooMany = answer.status >= 400 ? this.requestLimits.ofAddress(RequestContext.current()?.ip ?? '') : null;
      if (tooMany && !isAccepted) throw tooMany;
      if (!raw.complete) linger(raw, reply.raw);
      const { connection, ...headers } = answer.headers;
      if (connection !== undefined && !reply.raw.shouldKeepAlive) reply.header('connection', connection);
      limitUnread(reply.raw);
      return reply.code(answer.status).headers(headers).send(contentOf(answer.body, request.requestId));
    } catch (error) {
      if (!raw.complete) linger(raw, reply.raw);
      if (!isAccepted) throw error;
      const refusal = refuse('unavailable', 'file_not_stored', 'The file could not be stored. Try again later.');
      throw Object.assign(refusal, { cause: error });
    }
  }
}

/**
 * The body of a request as a separate stream. With the request itself, an error while storing it would close the connection before the answer, and
 * closing the connection would not end a request that was already answered.
 */
function bodyOf(raw: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // The store receives the error too. Without this listener, the error of an unread body would crash the process.
  body.on('error', () => undefined);
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('the connection was closed before the end of the body'));
  });
  return body;
}

/** Adds the fields that all problems of the edge have. */
function contentOf(body: Readable | string | null, requestId: string): Readable | string | undefined {
  if (typeof body !== 'string') return body ?? undefined;
  const given = JSON.parse(body) as { code: string; detail: string; status: number };
  const [type, title] = [`urn:parlance:problem:${given.code}`, STATUS_CODES[given.status]];
  const errors = given.status === 400 && { errors: [{ path: '', message: given.detail }] };
  return JSON.stringify({ ...given, type, title, request_id: requestId, ...errors });
}

function answerTooSlow(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return;
  reply.header('connection', 'close');
  problem(reply, { statusCode: 408 }, request.requestId);
}
