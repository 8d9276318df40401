import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller as Identity } from '@parlance/observability';

/** Type and parameter decorator in one: `@Caller() caller: Caller`; on an `@Open()` route `Caller | null`. */
export type Caller = Identity;

export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | null => context.switchToHttp().getRequest<FastifyRequest>().caller,
);
