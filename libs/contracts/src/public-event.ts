import { z } from 'zod';
import type { AuditAction } from './audit-action.ts';

/** A public event type of a service. The type name contains the version: a changed schema gets a new type name. */
export interface PublicEvent<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> {
  /** CloudEvents type, and the pattern for `@EventPattern`: `parlance.<service>.<what-happened>.v<version>`. */
  readonly type: Type;
  readonly service: string;
  readonly description: string;
  readonly schema: Schema;
  /** The entry of the audit log. Null for an event that has none. */
  readonly audit: ((data: never) => AuditAction) | null;
}

export type DataOf<E> = E extends PublicEvent<string, infer Schema> ? z.infer<Schema> : never;

export function publicEvent<Type extends `parlance.${string}.${string}.v${number}`, Schema extends z.ZodObject>(
  type: Type,
  description: string,
  schema: Schema,
  audit: ((data: z.infer<Schema>) => AuditAction) | null,
): PublicEvent<Type, Schema> {
  return { type, service: type.split('.')[1] as string, description, schema, audit };
}

/** An ID as it appears in public events. */
export const id = z.string().min(1).max(128);
export const userId = id.describe('ID of the user.');
/** Personal data, readable only while the encryption key of the event's subject exists. */
export const sealed = (what: string) =>
  z.string().startsWith('s1.').describe(`${what} Sealed: readable only while the key of its user exists.`);
export const tokens = (what: string) => z.int().nonnegative().describe(what);
export const nanoDollars = (what: string) => z.int().nonnegative().describe(`${what} In US dollars × 10⁻⁹.`);
