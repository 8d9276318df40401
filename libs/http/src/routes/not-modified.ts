import type { FastifyInstance } from 'fastify';
import { matchesWeakly } from './etag.ts';

/**
 * Spares a client what it has already: where `If-None-Match` names the ETag of an answer, 304 is given without its body.
 * The work has been done by then; it is the way that is saved.
 */
export function answerNotModified(instance: FastifyInstance): void {
  instance.addHook('onSend', ({ method, headers }, reply, payload, done) => {
    const asked = headers['if-none-match'];
    if (asked === undefined || reply.statusCode !== 200 || (method !== 'GET' && method !== 'HEAD')) return done(null, payload);
    const etag = reply.getHeader('etag');
    if (typeof etag !== 'string' || !matchesWeakly(asked, etag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    // Of a HEAD, Fastify looks at the body for its length before it drops that.
    done(null, method === 'HEAD' ? payload : null);
  });
}
