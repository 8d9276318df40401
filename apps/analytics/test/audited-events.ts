import { publicEvents } from '@parlance/contracts';
import { z } from 'zod';

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
}

/** Data that specs expect. IDs are the first letter of their field, such as `b` for `bot_id`. */
const EXPECTED: Readonly<Record<string, object>> = {
  'identity.unverified-user-confirmed': { group: 'Admin' },
  'identity.session-ended': { reason: 'ended_elsewhere' },
  'identity.group-created': { group: 'Marketing' },
  'bots.bot-pinned': { order: 7, status: 'pinned@007' },
  'bots.bot-unpinned': { order: 7, status: 'shared' },
  'bots.bot-narrowed': { shared_scope: 'private', previous_scope: 'all', editor_user_ids: ['u'] },
  'bots.action-refused': {
    action: 'pin',
    resource_type: 'bot',
    resource_id: null,
    code: 'group_required',
    message: 'This needs the group Admin.',
  },
};

function textOf({ format, pattern }: Schema, name: string): string {
  if (format === 'date-time') return '2027-01-01T00:00:00Z';
  if (pattern?.startsWith('^s1')) return 's1.k.x';
  return pattern?.includes('T') ? '2026-01-01T00' : name[0]!;
}

function sampleOf(schema: Schema, name = ''): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((field) => [field, sampleOf(schema.properties![field]!, field)]));
    case 'array':
      return [sampleOf(schema.items!, name)];
    case 'string':
      return textOf(schema, name);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 1;
  }
}

/** Data of a public event as its service publishes it. Personal data is only in sealed fields. */
export function dataOf(type: string): object {
  const { schema } = publicEvents.find((event) => event.type === type)!;
  return schema.parse({
    ...(sampleOf(z.toJSONSchema(schema) as Schema) as object),
    ...EXPECTED[type.slice('parlance.'.length, -'.v1'.length)],
  });
}
