import { z } from 'zod';

/** A kind of event that a service says in public. Its type carries its version: another shape is another type beside it. */
export interface PublicEvent<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> {
  /** CloudEvents type, and the pattern that consumers listen to: `parlance.<service>.<what-happened>.v<version>`. */
  readonly type: Type;
  readonly service: string;
  readonly description: string;
  readonly schema: Schema;
}

export type DataOf<E> = E extends PublicEvent<string, infer Schema> ? z.infer<Schema> : never;

export function publicEvent<Type extends `parlance.${string}.${string}.v${number}`, Schema extends z.ZodObject>(
  type: Type,
  description: string,
  schema: Schema,
): PublicEvent<Type, Schema> {
  return { type, service: type.split('.')[1] as string, description, schema };
}

/** Ids as everybody hands them round. */
export const id = z.string().min(1).max(128);
/** Personal content, readable only with the key of its subject. */
export const sealed = z.string().startsWith('s1.').describe('Sealed: readable only while the key of its subject exists');
export const groups = z.array(z.string());
export const tokens = z.int().nonnegative();
export const nanoDollars = z.int().nonnegative().describe('US dollars × 10⁹');
