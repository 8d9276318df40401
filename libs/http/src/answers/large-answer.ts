import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** The memory reserved for such an answer: a message's text, an instruction, the chunks of a page. */
const MOST_BYTES = 1024 * 1024;

/**
 * For a handler that first checks whether its caller may have the answer: resolves when it is the caller's turn. Rejects with `busy` (unavailable)
 * where too many wait.
 */
export async function turnOfLargeAnswer(reply: FastifyReply): Promise<void> {
  await reply.server.answerMemory.ofPage(reply, MOST_BYTES);
}

/** For a handler that reads something long before it sends a stream: only the read has a turn, because a client may take long to receive a stream. */
export async function inTurnOfLargeAnswer<Result>(reply: FastifyReply, read: () => Promise<Result>): Promise<Result> {
  await turnOfLargeAnswer(reply);
  try {
    return await read();
  } finally {
    reply.server.answerMemory.release(reply.raw);
  }
}

@Injectable()
class TakesTurn implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler) {
    await turnOfLargeAnswer(context.switchToHttp().getResponse<FastifyReply>());
    return next.handle();
  }
}

/** For a route whose answer, or whose reads, may be long: only a few run at the same time, and a request is refused with `busy` (503) if too many wait. */
export const LargeAnswer = (): MethodDecorator => UseInterceptors(TakesTurn);
