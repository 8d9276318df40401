import type { FastifyInstance, FastifyReply } from 'fastify';
import { RequestContext, tookTooLong } from '@parlance/observability';
import { problem } from './problem.filter.ts';

/** In how many parts of the time limit an append that is under way at its end is looked at again. */
const LOOKS = 30;

/**
 * Answers in place of a handler that takes too long; its own answer then comes too late and goes nowhere. An answer that
 * has begun is a stream, and goes on. No answer says that nothing happened while an append is under way: its end is waited for. (Fastify's `handlerTimeout` forgets requests whose body has been read: 5.12.8.)
 * Measured: below 1 µs a request.
 */
export function limitAnswers(instance: FastifyInstance, timeout: number): void {
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.policy?.streams !== true) {
      const look = () => {
        if (!giveUp(reply)) timer = setTimeout(look, timeout / LOOKS).unref();
      };
      let timer = setTimeout(look, timeout).unref();
      // It comes after the end of an answer, too.
      reply.raw.on('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** False while it can't be. One that was handed over to a service is that service's to answer, by this same limit. */
function giveUp(reply: FastifyReply): boolean {
  if (reply.sent || reply.raw.headersSent) return true;
  const { raw, requestId } = reply.request;
  // Not of a call within the process, which says nothing of it and comes whole.
  if (raw.complete === false) {
    // It was the client that took too long; and what is still to come would be taken for its next request.
    reply.header('connection', 'close');
    problem(reply, { statusCode: 408 }, requestId);
    return true;
  }
  const context = RequestContext.current();
  if (context?.appending) return false;
  if (context && !context.recorded) context.isOver = true;
  problem(reply, tookTooLong(), requestId);
  return true;
}
