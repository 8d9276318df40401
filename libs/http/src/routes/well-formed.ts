import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import type { FastifyInstance } from 'fastify';

/** Thrown for an error with an HTTP status of its own, and answered with the problem of that status. */
class RefusedByHttp extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedByHttp';
  }
}

/** Matches the header as Node does: Node itself sends 100 for such a request. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const UTF8 = /^"?utf-?8"?$/i;

/**
 * Refuses ambiguous requests: with several Host headers or none, with an unsupported encoding or charset of the body, or with an
 * unknown expectation. Node would use the first host, parse gzip bytes as JSON, and answer the rest without a problem body.
 * Install it after `openContext`.
 */
export function refuseIllFormed(instance: FastifyInstance): void {
  // Without a listener, Node answers 417 itself and may read the body as the next request.
  instance.server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => instance.routing(req, res));

  instance.addHook('onRequest', ({ raw }, reply, done) => {
    const refused = ambiguityOf(raw);
    if (refused === null) return done();
    // The client may or may not send its body, so the next bytes on the connection are ambiguous.
    if (refused instanceof RefusedByHttp) reply.header('connection', 'close');
    done(refused);
  });

  instance.addHook('preParsing', ({ raw: { headers }, is404 }, reply, payload, done) => {
    if (is404 || !hasBody(headers)) return done(null, payload);
    const { 'content-encoding': encoding, 'content-type': type } = headers;
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      reply.header('accept-encoding', 'identity');
      return done(new RefusedByHttp(415, 'an encoded body is not supported'));
    }
    if (type !== undefined && !isInUtf8(type)) return done(new RefusedByHttp(415, 'a body must be UTF-8'));
    done(null, payload);
  });
}

/** The error for a request with several Host headers or none, or with an unknown expectation; null for all others. */
export function ambiguityOf({ httpVersion, headers: { expect }, rawHeaders }: IncomingMessage): Error | null {
  const isOld = httpVersion === '1.0';
  const hosts = timesIn(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && !isOld)) return refuse('invalid', 'malformed_request', 'A request must have exactly one Host header.');
  if (expect === undefined || isOld || CONTINUE.test(expect)) return null;
  return new RefusedByHttp(417, 'only 100-continue is supported');
}

/** How many times a request has a header. `name` is in lower case. (Node's parsed headers have only the first value of some repeated headers.) */
export function timesIn(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] as string;
    if (rawName.length === name.length && rawName.toLowerCase() === name) times++;
  }
  return times;
}

/** Whether the headers announce a body. An empty chunked body is noticed only when it is read. */
export const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function isInUtf8(contentType: string): boolean {
  // Most content types declare no charset.
  if (!contentType.includes(';')) return true;
  return contentType
    .split(';')
    .slice(1)
    .every((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return name.trim().toLowerCase() !== 'charset' || UTF8.test(value.trim());
    });
}
