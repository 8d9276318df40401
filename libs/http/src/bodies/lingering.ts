import { Refusal } from '@parlance/decider';
import type { FastifyInstance } from 'fastify';
import { LINGER_MAX_BYTES } from './bodies.ts';

/**
 * Lets a client receive the answer that its body is too large or that the server is busy. Fastify closes the connection while the client
 * is still sending, which resets it, and the answer is lost. Here Node reads and drops the rest of the body within the request's time
 * limit, unless it is very large.
 */
export function lingerOnRefusedBodies(instance: FastifyInstance): void {
  instance.addHook('onError', (request, reply, error, done) => {
    const isRefused = error instanceof Refusal ? error.code === 'body_too_large' || error.code === 'busy' : error.statusCode === 413;
    if (isRefused && Number(request.headers['content-length']) <= LINGER_MAX_BYTES) reply.removeHeader('connection');
    done();
  });
}
