import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuse } from '@parlance/decider';
import { problem } from './problem.filter.ts';

/**
 * Answers in place of a handler that takes too long; its own answer then comes too late and goes nowhere. An answer that
 * has begun is a stream, and goes on. (Fastify's `handlerTimeout` forgets requests whose body has been read: 5.12.8.)
 * Measured: below 1 µs a request.
 */
export function limitAnswers(instance: FastifyInstance, timeout: number): void {
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.policy?.streams !== true) {
      const timer = setTimeout(giveUp, timeout, reply).unref();
      // It comes after the end of an answer, too.
      reply.raw.on('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** One that was handed over to a service is that service's to answer, by this same limit. */
function giveUp(reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return;
  const { raw, requestId } = reply.request;
  // Not of a call within the process, which says nothing of it and comes whole.
  if (raw.complete === false) {
    // It was the client that took too long; and what is still to come would be taken for its next request.
    reply.header('connection', 'close');
    problem(reply, { statusCode: 408 }, requestId);
  } else {
    problem(reply, refuse('unavailable', 'answer_timeout', 'The answer took too long.', { retry_after: 5 }), requestId);
  }
}
