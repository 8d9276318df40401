import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Refuses } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BUDGET_WARNING_HEADER } from '../../replies/reply-answers.ts';
import { requireBounded } from '../body-bounds.ts';

/** The parsed JSON body. The standards allow unknown fields, so no pipe validates it. Throws as `requireBounded` does. */
export const StandardBody = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  requireBounded(body);
  return body;
});

/** The refusals of a route that begins a reply. */
export const RefusesReplies = (): MethodDecorator =>
  applyDecorators(
    Refuses('images_not_supported', 400),
    Refuses('invalid_file', 400),
    Refuses('bot_not_found', 404),
    Refuses('model_not_found', 404),
    Refuses('not_published', 404),
    Refuses('reply_in_progress', 409),
    Refuses('budget_exceeded', 429),
    Refuses('busy', 503),
    Refuses('recorded_not_visible', 503),
    Refuses('object_store_not_configured', 503),
    Refuses('object_store_unavailable', 503),
    Refuses('reply_timeout', 503),
  );

export function warnOf(reply: FastifyReply, budgetWarning: string | null): void {
  if (budgetWarning !== null) void reply.header(BUDGET_WARNING_HEADER, budgetWarning);
}
