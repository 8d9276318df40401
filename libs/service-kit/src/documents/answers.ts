import type { JsonSchema } from './json-schema.ts';

export interface DeclaredAnswer {
  readonly status: number;
  readonly schema?: JsonSchema;
  readonly mediaType: string;
  readonly description?: string;
}

export interface DeclaredRefusal {
  readonly code: string;
  readonly status: number;
}

export const ANSWERS = 'parlance:answers';
export const REFUSALS = 'parlance:refusals';
export const SUMMARY = 'parlance:summary';

/** What a route answers when all is well: the row's schema, in JSON unless said otherwise. May stand several times. */
export const Answers = (
  status: number,
  schema?: JsonSchema,
  { mediaType = 'application/json', description }: { mediaType?: string; description?: string } = {},
): MethodDecorator =>
  adding(ANSWERS, {
    status,
    mediaType,
    ...(schema && { schema }),
    ...(description !== undefined && { description }),
  } satisfies DeclaredAnswer);

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
