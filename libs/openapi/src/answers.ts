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

/** A route's answer on success: its schema, in JSON by default. May be repeated. */
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
 * The schema of a body that the route reads itself, because a standard allows unknown fields, which a body class would refuse. The handler gets
 * the body by its own parameter decorator, which no pipe validates.
 */
export const Takes =
  (schema: JsonSchema, mediaType = 'application/json'): MethodDecorator =>
  (_target, _name, descriptor) => {
    Reflect.defineMetadata(TAKES, { schema, mediaType } satisfies DeclaredBody, descriptor.value as object);
  };

/** A refusal that is specific to this route: its stable code and its status. May be repeated. */
export const Refuses = (code: string, status: number): MethodDecorator => adding(REFUSALS, { code, status } satisfies DeclaredRefusal);

/** A description of the route in one sentence. */
export const Summary =
  (text: string): MethodDecorator =>
  (_target, _name, descriptor) => {
    Reflect.defineMetadata(SUMMARY, text, descriptor.value as object);
  };

export const declared = <Declared>(kind: string, handler: object): readonly Declared[] =>
  (Reflect.getMetadata(kind, handler) as Declared[] | undefined) ?? [];

function adding(kind: string, declaration: object): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    // The decorators run from the last to the first.
    Reflect.defineMetadata(kind, [declaration, ...declared<object>(kind, handler)], handler);
  };
}
