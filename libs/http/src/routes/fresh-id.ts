import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { newId } from '@parlance/event-store';

/**
 * The ID of the resource that a request creates, as a parameter of its handler. A repeat with the same `Idempotency-Key` gets the
 * same ID, even after a crash, so the stream of that ID recognises the repeat.
 */
export const FreshId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().statement?.nid ?? newId(),
);

export const MAKES_USER = 'parlance:makes-user';

/** For a route that creates a user with its `@FreshId()`. The stored answer is deleted when that user is erased. */
export const MakesUser = (): MethodDecorator => SetMetadata(MAKES_USER, true);

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** A second ID with the same timestamp, for another resource that the request creates. The same ID and purpose give the same result. */
export function derivedId(id: string, purpose: string): string {
  const bytes = createHash('sha256').update(`${purpose} ${id}`).digest();
  const random = Array.from({ length: RANDOM_LENGTH }, (_, place) => BASE_32[(bytes[place] as number) % BASE_32.length]);
  return `${id.slice(0, TIME_LENGTH)}${random.join('')}`;
}

export const TAKES_IDEMPOTENCY_KEY = 'parlance:takes-idempotency-key';

/** For a POST that creates something with its `@FreshId()` and answers 200 because a standard demands it. Routes that answer 201 or 202 do not need it. */
export const TakesIdempotencyKey = (): MethodDecorator => SetMetadata(TAKES_IDEMPOTENCY_KEY, true);
