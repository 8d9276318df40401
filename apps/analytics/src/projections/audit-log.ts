import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type Cursor, type Page, projection, put, ReadModels, table } from '@parlance/read-models';
import type { AuditEntry, AuditTrailEvent } from '../domain/audit-trail.ts';
import type { AsOf } from './as-of.ts';

export type AuditRow = AuditEntry & { readonly hash: string };

export const auditRows = table<AuditRow>('audit_log', { byTime: ['timestamp'] });

const asOfRows = table<AsOf>('audit_log_as_of');

export const auditLog = projection<AuditTrailEvent>({
  name: 'audit-log',
  version: 1,
  tables: [auditRows, asOfRows],
  on: {
    AuditEntryRecorded: (event, { position, metadata }) => [
      put(auditRows, event.entry.id, { ...event.entry, hash: event.hash }),
      put(asOfRows, 'newest', { position, time: Instant.toString(metadata.at) }),
    ],
  },
});

export interface AuditPage extends Page<AuditRow> {
  readonly as_of: AsOf | null;
}

/** Newest first. */
export class AuditEntries extends Query<AuditPage> {
  constructor(
    readonly limit: number,
    readonly after?: Cursor,
  ) {
    super();
  }
}

@QueryHandler(AuditEntries)
export class FindAuditEntries implements IQueryHandler<AuditEntries> {
  constructor(private readonly models: ReadModels) {}

  async execute({ limit, after }: AuditEntries): Promise<AuditPage> {
    const as_of = await this.models.get(asOfRows, 'newest');
    const page = await this.models.find(auditRows, { index: 'byTime', order: 'desc', limit, ...(after && { after }) });
    return { ...page, as_of };
  }
}
