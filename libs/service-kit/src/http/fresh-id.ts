import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { newId } from '../foundation/clock.ts';

/**
 * The id of what a request makes, as a parameter of its handler. A repeat with the same `Idempotency-Key` is given the
 * same id, whatever became of the first try: so the stream of that id recognises it, also after a crash in between.
 */
export const FreshId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().statement?.nid ?? newId(),
);
