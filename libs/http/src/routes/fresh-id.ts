import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { newId } from '@parlance/event-store';

/**
 * The id of what a request makes, as a parameter of its handler. A repeat with the same `Idempotency-Key` is given the
 * same id, whatever became of the first try: so the stream of that id recognises it, also after a crash in between.
 */
export const FreshId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().statement?.nid ?? newId(),
);

export const MAKES_USER = 'parlance:makes-user';

/** For a route that makes a user under its `@FreshId()`: what is remembered of its answer goes with that user. */
export const MakesUser = (): MethodDecorator => SetMetadata(MAKES_USER, true);

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** Another id of the same time, for a second thing that one request makes: always the same for the same id and purpose. */
export function derivedId(id: string, purpose: string): string {
  const bytes = createHash('sha256').update(`${purpose} ${id}`).digest();
  const random = Array.from({ length: RANDOM_LENGTH }, (_, place) => BASE_32[(bytes[place] as number) % BASE_32.length]);
  return `${id.slice(0, TIME_LENGTH)}${random.join('')}`;
}
