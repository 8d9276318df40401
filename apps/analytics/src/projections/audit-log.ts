import { Instant } from '@parlance/decider';
import { query } from '@parlance/foundation';
import { type Cursor, projection, put, table } from '@parlance/read-models';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import type { AuditEntry, AuditTrailEvent } from '../domain/audit-trail.ts';
import { type AsOf } from './as-of.ts';

/** An entry as administrators see it. */
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

nameSchemas({ AuditEntry: AuditEntryRow });

/** An entry, its hash, and the position of its commit in the log: the rows are compared with the log by both. */
export type AuditRow = AuditEntry & { readonly hash: string; readonly position: number };

export const auditRows = table<AuditRow>('audit_log', {
  byTime: ['timestamp'],
  resource_id: ['resource_id', 'timestamp'],
  user_id: ['user_id', 'timestamp'],
  action_type: ['action_type', 'timestamp'],
  success: ['success', 'timestamp'],
  resource_type: ['resource_type', 'timestamp'],
  byPosition: ['position'],
});

export const asOfRows = table<AsOf>('audit_log_as_of');

export const auditLog = projection<AuditTrailEvent>({
  name: 'audit-log',
  version: 3,
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

/** Conditions that all have to hold. A field that is absent matches every entry. */
export interface AuditFilter {
  readonly resource_id?: string;
  readonly user_id?: string;
  readonly action_type?: string;
  readonly success?: boolean;
  readonly resource_type?: string;
  /** Epoch seconds, inclusive. */
  readonly between?: { readonly from: number; readonly to: number };
}

/** Of several given fields, the first in this list has the index that is read: it leaves the fewest entries to look through. */
const NARROWEST_FIRST = ['resource_id', 'user_id', 'action_type', 'success', 'resource_type'] as const;

/** Newest first. */
export const AuditEntries = query(
  'AuditEntries',
  async (models, filter: AuditFilter, limit: number, after?: Cursor): Promise<AuditPage> => {
    // Read first: what comes in meanwhile makes the page newer than this says, never older.
    const as_of = await models.get(asOfRows, 'newest');
    const [by, ...others] = NARROWEST_FIRST.filter((field) => filter[field] !== undefined);
    const found: AuditRow[] = [];
    let from = after ?? null;
    do {
      const page = await models.find(auditRows, {
        index: by ?? 'byTime',
        ...(by && { where: { [by]: filter[by] as string | boolean } }),
        ...filter.between,
        order: 'desc',
        // One more than is answered, to know whether there is another page.
        limit: others.length > 0 ? Math.max(limit + 1, 500) : limit + 1,
        ...(from && { after: from }),
      });
      found.push(...page.rows.filter((row) => others.every((field) => row[field] === filter[field])));
      from = page.next;
    } while (from && found.length <= limit);
    const last = found[limit - 1];
    const next = last && found.length > limit ? [...(by ? [last[by]] : []), last.timestamp, last.id] : null;
    return { as_of, rows: found.slice(0, limit), next };
  },
);
