import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Cursor, projection, put, table } from '@parlance/read-models';
import { z } from 'zod';
import { query } from '../bus.ts';
import type { AuditEntry, AuditTrailEvent } from '../domain/audit-trail.ts';
import { type AsOf } from './as-of.ts';

/** An entry as shown to administrators. */
export const AuditEntryRow = z.object({
  id: z.string(),
  user_id: z.string(),
  action_type: z.string(),
  resource_type: z.string(),
  resource_id: z.string(),
  timestamp: z.int().describe('Time in epoch seconds.'),
  details: z.unknown().meta({ type: 'object' }),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  success: z.boolean(),
  error_message: z.string().nullable(),
});

/** An entry, its hash, and the position of its commit in the log: rows are compared with the log by both. */
export type AuditRow = AuditEntry & { readonly hash: string; readonly position: number };

export const auditRows = table<AuditRow>('audit_log', {
  byTime: ['timestamp'],
  resource_id: ['resource_id', 'timestamp'],
  user_id: ['user_id', 'timestamp'],
  action_type: ['action_type', 'timestamp'],
  outcome: ['action_type', 'success', 'timestamp'],
  success: ['success', 'timestamp'],
  resource_type: ['resource_type', 'timestamp'],
  byPosition: ['position'],
});

export const asOfRows = table<AsOf>('audit_log_as_of');

export const auditLog = projection<AuditTrailEvent>({
  name: 'audit-log',
  version: 4,
  tables: [auditRows, asOfRows],
  on: {
    AuditEntryRecorded: (event, { position, metadata }) => [
      put(auditRows, event.entry.id, { ...event.entry, hash: event.hash, position }),
      put(asOfRows, 'newest', { position, time: Instant.toString(metadata.at) }),
    ],
  },
});

export interface AuditPage {
  readonly as_of: AsOf | null;
  readonly rows: readonly AuditRow[];
  readonly next: Cursor | null;
}

/** All conditions must match. An absent field matches every entry. */
export interface AuditFilter {
  readonly resource_id?: string;
  readonly user_id?: string;
  readonly action_type?: string;
  readonly success?: boolean;
  readonly resource_type?: string;
  /** Without refused session refreshes by unknown callers, such as browsers whose session has ended. */
  readonly without_noise?: boolean;
  /** Epoch seconds, inclusive. */
  readonly between?: { readonly from: number; readonly to: number };
}

/**
 * The indexes for finding entries, and the fields that each needs. The first index whose fields are present leaves the fewest entries to
 * search.
 */
const NARROWEST_FIRST = [
  ['resource_id', ['resource_id']],
  ['user_id', ['user_id']],
  ['outcome', ['action_type', 'success']],
  ['action_type', ['action_type']],
  ['success', ['success']],
  ['resource_type', ['resource_type']],
  ['byTime', []],
] as const satisfies readonly (readonly [keyof typeof auditRows.indexes, readonly (keyof AuditFilter)[]])[];

const FIELDS = ['resource_id', 'user_id', 'action_type', 'success', 'resource_type'] as const;

const isNoise = ({ action_type, success, user_id }: AuditRow) => action_type === 'refresh_session' && !success && user_id === 'anonymous';

const foundBy = (filter: AuditFilter) => NARROWEST_FIRST.find(([, fields]) => fields.every((field) => filter[field] !== undefined))!;

/** The index that is read for a filter. A cursor belongs to it. */
export const auditIndexOf = (filter: AuditFilter): string => foundBy(filter)[0];

/** The number of entries read at once if the first read did not contain enough matching ones. */
const LOOKED_THROUGH_AT_ONCE = 500;
/** The most entries that one page searches. If they are not enough, the page is shorter than its limit, and the next one continues. */
export const MOST_LOOKED_THROUGH = 20_000;

/** Newest first. */
export const AuditEntries = query(
  'AuditEntries',
  async (models, filter: AuditFilter, limit: number, after?: Cursor): Promise<AuditPage> => {
    // This is read first, so that events that arrive meanwhile make the page newer than `as_of`, never older.
    const as_of = await models.get(asOfRows, 'newest');
    const [index, by] = foundBy(filter);
    const where = Object.fromEntries(by.map((field) => [field, filter[field]!]));
    const others = FIELDS.filter((field) => filter[field] !== undefined && !Object.hasOwn(where, field));
    const matches = (row: AuditRow) =>
      others.every((field) => row[field] === filter[field]) && !(filter.without_noise === true && isNoise(row));
    const found: AuditRow[] = [];
    let lookedThrough = 0;
    // One entry more than is returned, to know whether there is another page.
    let atOnce = limit + 1;
    for (let from = after ?? null, isFirst = true; (isFirst || from) && found.length <= limit; isFirst = false) {
      const page = await models.find(auditRows, {
        index,
        where,
        ...filter.between,
        order: 'desc',
        limit: atOnce,
        ...(from && { after: from }),
      });
      found.push(...page.rows.filter(matches));
      lookedThrough += page.rows.length;
      from = page.next;
      if (from && found.length <= limit && lookedThrough >= MOST_LOOKED_THROUGH) return { as_of, rows: found, next: from };
      atOnce = Math.max(atOnce, LOOKED_THROUGH_AT_ONCE);
      if (from && isTurnOver()) await nextTurn();
    }
    const last = found[limit - 1];
    const next = last && found.length > limit ? [...by.map((field) => last[field]), last.timestamp, last.id] : null;
    return { as_of, rows: found.slice(0, limit), next };
  },
);
