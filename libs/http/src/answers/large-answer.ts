import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** What such an answer may take: a text of a message, an instruction, the chunks of a page. */
const MOST_BYTES = 1024 * 1024;

@Injectable()
class TakesTurn implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler) {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    await reply.server.answerMemory.ofPage(reply, MOST_BYTES);
    return next.handle();
  }
}

/** For a route whose answer may be long, or whose reads are: a few are made at a time, and the request is refused with `busy` (503) where too many wait. */
export const LargeAnswer = (): MethodDecorator => UseInterceptors(TakesTurn);
