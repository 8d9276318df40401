import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** What such an answer may take: a text of a message, an instruction, the chunks of a page. */
const MOST_BYTES = 1024 * 1024;

/**
 * For a handler that first checks whether its caller may have the answer: resolves when it is the caller's turn. Rejects with `busy` (unavailable)
 * where too many wait.
 */
export async function turnOfLargeAnswer(reply: FastifyReply): Promise<void> {
  await reply.server.answerMemory.ofPage(reply, MOST_BYTES);
}

@Injectable()
class TakesTurn implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler) {
    await turnOfLargeAnswer(context.switchToHttp().getResponse<FastifyReply>());
    return next.handle();
  }
}

/** For a route whose answer may be long, or whose reads are: a few are made at a time, and the request is refused with `busy` (503) where too many wait. */
export const LargeAnswer = (): MethodDecorator => UseInterceptors(TakesTurn);
