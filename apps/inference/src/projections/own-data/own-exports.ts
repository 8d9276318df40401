import type { Instant } from '@parlance/decider';
import { findUnleased, type PageOf } from '@parlance/foundation';
import { idInStream } from '@parlance/event-store';
import { add, type Cursor, type Page, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { AskedBy, OwnExportEvent } from '../../domain/own-data/own-export.ts';

/** An export of a user's own data, until its file is removed. */
export interface OwnExportRow {
  readonly export_id: string;
  readonly user_id: string;
  readonly status: 'waiting' | 'writing' | 'ready' | 'failed';
  readonly requested_by: AskedBy;
  readonly requested_at: Instant;
  /** Conversations written so far. */
  readonly conversations: number;
  /** All conversations. Null until they are counted. */
  readonly total: number | null;
  readonly bytes: number | null;
  readonly ended_at: Instant | null;
  readonly expires_at: Instant | null;
  /** The claim of the worker that stored the file. */
  readonly claim: string | null;
}

/** An export that is not finished. Any process may take it from `lease_until` on. */
export interface PendingOwnExportRow {
  readonly export_id: string;
  readonly user_id: string;
  readonly lease_until: Instant;
}

interface ErasedOwnExportsRow {
  readonly exports: number;
}

const ownExportRows = table<OwnExportRow>('own_exports', { byUser: ['user_id'], byExpiry: ['expires_at'] });
const pendingRows = table<PendingOwnExportRow>('owed_own_exports', { byLease: ['lease_until'] });
const erasedRows = table<ErasedOwnExportsRow>('erased_own_exports');

export const ownExports = projection<OwnExportEvent>({
  name: 'own-exports',
  version: 1,
  tables: [ownExportRows, pendingRows, erasedRows],
  on: {
    OwnExportRequested: ({ exportId, by, at }, { stream }) => {
      const its = { export_id: exportId, user_id: idInStream(stream) };
      const open = { conversations: 0, total: null, bytes: null, ended_at: null, expires_at: null, claim: null };
      return [
        put(ownExportRows, exportId, { ...its, ...open, status: 'waiting', requested_by: by, requested_at: at }),
        put(pendingRows, exportId, { ...its, lease_until: at }),
      ];
    },
    OwnExportClaimed: ({ exportId, leaseUntil }) => [
      patch(ownExportRows, exportId, { status: 'writing', conversations: 0, total: null }),
      patch(pendingRows, exportId, { lease_until: leaseUntil }),
    ],
    OwnExportAdvanced: ({ exportId, conversations, total, leaseUntil }) => [
      patch(ownExportRows, exportId, { conversations, total }),
      patch(pendingRows, exportId, { lease_until: leaseUntil }),
    ],
    OwnExportCompleted: ({ exportId, claim, conversations, bytes, at, expiresAt }) => [
      patch(ownExportRows, exportId, {
        status: 'ready',
        conversations,
        total: conversations,
        bytes,
        claim,
        ended_at: at,
        expires_at: expiresAt,
      }),
      remove(pendingRows, exportId),
    ],
    OwnExportFailed: ({ exportId, at, expiresAt }) => [
      patch(ownExportRows, exportId, { status: 'failed', ended_at: at, expires_at: expiresAt }),
      remove(pendingRows, exportId),
    ],
    OwnExportRemoved: ({ exportId }) => [remove(ownExportRows, exportId), remove(pendingRows, exportId)],
    OwnExportsErased: ({ exports }, { stream }) => (exports > 0 ? [add(erasedRows, idInStream(stream), { exports }, {})] : []),
  },
});

/** Expired exports that one round ends. */
const ENDED_AT_ONCE = 100;

/** An export of this user. Null if the user has no such export. */
export const OwnExportOf = query('OwnExportOf', async (models, userId: string, exportId: string): Promise<OwnExportRow | null> => {
  const row = await models.get(ownExportRows, exportId);
  return row?.user_id === userId ? row : null;
});

/** The export that a user requested last. Null if there is none. Later IDs are higher. */
export const LastOwnExport = query('LastOwnExport', async (models, userId: string): Promise<OwnExportRow | null> => {
  const { rows } = await models.find(ownExportRows, { index: 'byUser', where: { user_id: userId }, order: 'desc', limit: 1 });
  return rows[0] ?? null;
});

/** Exports without a worker, the longest waiting ones first. */
export const WaitingOwnExports = query(
  'WaitingOwnExports',
  (models, now: Instant, after: Cursor | null): Promise<PageOf<PendingOwnExportRow, Cursor>> =>
    findUnleased(models, pendingRows, { index: 'byLease', limit: ENDED_AT_ONCE, ...(after && { after }) }, now),
);

export const OwnExportsExpiredAt = query(
  'OwnExportsExpiredAt',
  async (models, now: Instant, after: Cursor | null): Promise<Page<OwnExportRow>> =>
    models.find(ownExportRows, { index: 'byExpiry', from: 0, to: now, limit: ENDED_AT_ONCE, ...(after && { after }) }),
);

export const ErasedOwnExportsOf = query('ErasedOwnExportsOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedRows, userId))?.exports ?? 0;
});
