import type { FastifyInstance } from 'fastify';

/** What is still read of a body that was refused as too large: past this, the connection is cut. */
const MOST = 64 * 1024 * 1024;

/**
 * Lets a client read that its body is too large. Fastify closes the connection while the client is still sending, which
 * resets it, and the answer is lost on the way; here Node reads the rest away (it keeps none of it, and the time limit
 * of the request goes on), unless that would be very much.
 */
export function lingerOnRefusedBodies(instance: FastifyInstance): void {
  instance.addHook('onError', (request, reply, error, done) => {
    if (error.statusCode === 413 && Number(request.headers['content-length']) <= MOST) reply.removeHeader('connection');
    done();
  });
}
