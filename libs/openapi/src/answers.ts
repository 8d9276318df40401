import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { schemaOf } from './row-schema.ts';

export interface DeclaredAnswer {
  readonly status: number;
  readonly schema?: JsonSchema;
  readonly mediaType: string;
  readonly description?: string;
}

export interface DeclaredBody {
  readonly schema: JsonSchema;
  readonly mediaType: string;
}

export interface DeclaredRefusal {
  readonly code: string;
  readonly status: number;
}

export const ANSWERS = 'parlance:answers';
export const REFUSALS = 'parlance:refusals';
export const SUMMARY = 'parlance:summary';
export const TAKES = 'parlance:takes';

/** What a route answers on success: the row's schema, in JSON by default. May be repeated. */
export const Answers = (
  status: number,
  answer?: JsonSchema | z.ZodType,
  { mediaType = 'application/json', description }: { mediaType?: string; description?: string } = {},
): MethodDecorator =>
  adding(ANSWERS, {
    status,
    mediaType,
    ...(answer && { schema: answer instanceof z.ZodType ? schemaOf(answer) : answer }),
    ...(description !== undefined && { description }),
  } satisfies DeclaredAnswer);

/**
 * The body of a route that reads it by itself, where a standard lets bodies have unknown fields: a class would
 * refuse the rest. The handler gets it by a parameter decorator of its own, which no pipe looks at.
 */
export const Takes =
  (schema: JsonSchema, mediaType = 'application/json'): MethodDecorator =>
  (_target, _name, descriptor) => {
    Reflect.defineMetadata(TAKES, { schema, mediaType } satisfies DeclaredBody, descriptor.value as object);
  };

/** A refusal of this route's own: its stable code, and the status it is given with. May stand several times. */
export const Refuses = (code: string, status: number): MethodDecorator => adding(REFUSALS, { code, status } satisfies DeclaredRefusal);

/** What a route does, in one sentence. */
export const Summary =
  (text: string): MethodDecorator =>
  (_target, _name, descriptor) => {
    Reflect.defineMetadata(SUMMARY, text, descriptor.value as object);
  };

export const declared = <Declared>(kind: string, handler: object): readonly Declared[] =>
  (Reflect.getMetadata(kind, handler) as Declared[] | undefined) ?? [];

function adding(kind: string, one: object): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    // The decorators run from the last to the first.
    Reflect.defineMetadata(kind, [one, ...declared<object>(kind, handler)], handler);
  };
}
