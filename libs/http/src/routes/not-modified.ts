import type { FastifyInstance } from 'fastify';
import { matchesWeakly } from './etag.ts';

/**
 * Answers 304 without a body if `If-None-Match` contains the ETag of the answer. The work is already done by then; only the
 * transfer is saved.
 */
export function answerNotModified(instance: FastifyInstance): void {
  instance.addHook('onSend', ({ method, headers }, reply, payload, done) => {
    const knownEtags = headers['if-none-match'];
    if (knownEtags === undefined || reply.statusCode !== 200 || (method !== 'GET' && method !== 'HEAD')) return done(null, payload);
    const etag = reply.getHeader('etag');
    if (typeof etag !== 'string' || !matchesWeakly(knownEtags, etag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    // For a HEAD request, Fastify needs the body for its length before it drops it.
    done(null, method === 'HEAD' ? payload : null);
  });
}
