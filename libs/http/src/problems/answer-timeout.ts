import type { FastifyInstance, FastifyReply } from 'fastify';
import { RequestContext, tookTooLong } from '@parlance/observability';
import { problem } from './problem.filter.ts';

/** While an append still runs after the time limit, it is checked again each time this fraction of the limit has passed. */
const LOOKS = 30;

/**
 * Answers in place of a handler that exceeds the time limit; the handler's own answer is then dropped. An answer that has begun is a stream and
 * continues. While an append is running, the answer waits for it, because it must not deny a change that was made.
 * (Fastify 5.12.8's own `handlerTimeout` does not apply to requests whose body has been read.) Measured: below 1 µs per request.
 */
export function limitAnswers(instance: FastifyInstance, timeout: number): void {
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.policy?.streams !== true) {
      const check = () => {
        if (!giveUp(reply)) timer = setTimeout(check, timeout / LOOKS).unref();
      };
      let timer = setTimeout(check, timeout).unref();
      // The event is also emitted after the end of an answer.
      reply.raw.on('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** Returns false while the answer must wait. A request that was handed over is answered by the service, which has the same limit. */
function giveUp(reply: FastifyReply): boolean {
  if (reply.sent || reply.raw.headersSent) return true;
  const { raw, requestId } = reply.request;
  // Undefined for a call within the process, whose body is always complete.
  if (raw.complete === false) {
    // The client was too slow, and the rest of its body would be read as its next request.
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
