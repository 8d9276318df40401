import { Refusal } from '@parlance/decider';
import type { FastifyInstance } from 'fastify';
import { LINGER_MOST } from './bodies.ts';

/**
 * Lets a client read that its body is too large, or that there is no room for it now. Fastify closes the connection while the client is still sending, which
 * resets it, and the answer is lost on the way; here Node reads the rest away (it keeps none of it, and the time limit
 * of the request goes on), unless that would be very much.
 */
export function lingerOnRefusedBodies(instance: FastifyInstance): void {
  instance.addHook('onError', (request, reply, error, done) => {
    const isRefused = error.statusCode === 413 || (error instanceof Refusal && error.code === 'busy');
    if (isRefused && Number(request.headers['content-length']) <= LINGER_MOST) reply.removeHeader('connection');
    done();
  });
}
