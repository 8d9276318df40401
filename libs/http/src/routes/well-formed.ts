import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import type { FastifyInstance } from 'fastify';

/** Thrown for what HTTP has a status of its own for; the problem of that status is the answer. */
class RefusedByHttp extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedByHttp';
  }
}

/** As Node reads it: what has this in it, Node itself answers with 100. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const UTF8 = /^"?utf-?8"?$/i;

/**
 * Refuses what two readers could read in two ways: a request that names two hosts, or none; a body in another encoding
 * or charset than the one that is read here; and an unknown expectation. Node would take the first host, read
 * bytes of gzip as JSON, and answer the rest without a problem. To be installed once requests have their context.
 */
export function refuseIllFormed(instance: FastifyInstance): void {
  // Without a listener, Node answers 417 by itself and leaves the connection to guess where the body is.
  instance.server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => instance.routing(req, res));

  instance.addHook('onRequest', ({ raw }, reply, done) => {
    const isOld = raw.httpVersion === '1.0';
    const hosts = hostsIn(raw.rawHeaders);
    if (hosts > 1 || (hosts === 0 && !isOld)) return done(refuse('invalid', 'malformed_request', 'A request has exactly one Host header.'));
    const { expect } = raw.headers;
    if (expect === undefined || isOld || CONTINUE.test(expect)) return done();
    // The client may send its body, or not: what comes next can't be known for either.
    reply.header('connection', 'close');
    done(new RefusedByHttp(417, 'nothing is expected here but 100-continue'));
  });

  instance.addHook('preParsing', ({ raw: { headers }, is404 }, reply, payload, done) => {
    if (is404 || !hasBody(headers)) return done(null, payload);
    const { 'content-encoding': encoding, 'content-type': type } = headers;
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      reply.header('accept-encoding', 'identity');
      return done(new RefusedByHttp(415, 'a body is not encoded'));
    }
    if (type !== undefined && !isInUtf8(type)) return done(new RefusedByHttp(415, 'a body is UTF-8'));
    done(null, payload);
  });
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function isInUtf8(contentType: string): boolean {
  // Most say nothing of it.
  if (!contentType.includes(';')) return true;
  return contentType
    .split(';')
    .slice(1)
    .every((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return name.trim().toLowerCase() !== 'charset' || UTF8.test(value.trim());
    });
}
