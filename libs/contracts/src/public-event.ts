import { z } from 'zod';

/** A kind of event that a service says in public. Its type carries its version: another shape is another type beside it. */
export interface PublicEvent<Schema extends z.ZodObject = z.ZodObject> {
  /** CloudEvents type, and the pattern that consumers listen to. */
  readonly type: `parlance.${string}.${string}.v${number}`;
  readonly service: string;
  readonly description: string;
  readonly schema: Schema;
}

export type DataOf<E> = E extends PublicEvent<infer Schema> ? z.infer<Schema> : never;

export function publicEvent<Schema extends z.ZodObject>(
  service: string,
  name: string,
  version: number,
  description: string,
  schema: Schema,
): PublicEvent<Schema> {
  return { type: `parlance.${service}.${name}.v${version}`, service, description, schema };
}

/** Ids as everybody hands them round. */
export const id = z.string().min(1).max(128);
/** Personal content, readable only with the key of its subject. */
export const sealed = z.string().startsWith('s1.').describe('Sealed: readable only while the key of its subject exists');
export const groups = z.array(z.string());
export const tokens = z.int().nonnegative();
export const nanoDollars = z.int().nonnegative().describe('US dollars × 10⁹');
