import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { findUnleased, type PageOf } from '@parlance/foundation';
import { type Cursor, type Page, patch, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { BatchError, EndStatus, GatewayBatchEvent } from '../../domain/gateway/gateway-batch.ts';

/** The names are those of OpenAI, and so are those of the times. */
export type BatchStatus = 'validating' | 'in_progress' | 'cancelling' | 'finalizing' | EndStatus;

export interface GatewayBatchRow {
  readonly batch_id: string;
  readonly user_id: string;
  readonly token_id: string;
  readonly endpoint: string;
  readonly input_file_id: string;
  readonly status: BatchStatus;
  readonly created_at: Instant;
  readonly in_progress_at: Instant | null;
  readonly finalizing_at: Instant | null;
  readonly cancelling_at: Instant | null;
  readonly ended_at: Instant | null;
  readonly expires_at: Instant;
  /** When it is removed from lists. Null before its end. */
  readonly listed_until: Instant | null;
  readonly lines: number;
  readonly completed: number;
  readonly failed: number;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly errors: readonly BatchError[];
  readonly sealed: string;
}

/** A batch that has not ended. Any process may take it from `lease_until` on. */
export interface PendingBatchRow {
  readonly batch_id: string;
  readonly user_id: string;
  readonly lease_until: Instant;
}

const batchRows = table<GatewayBatchRow>('gateway_batches', { byUser: ['user_id', 'batch_id'], byEnd: ['listed_until'] });
const pendingRows = table<PendingBatchRow>('owed_gateway_batches', { byLease: ['lease_until'] });

/** Batches that one round begins or removes. */
const AT_ONCE = 100;

export const gatewayBatchList = projection<GatewayBatchEvent>({
  name: 'gateway-batches',
  version: 2,
  tables: [batchRows, pendingRows],
  on: {
    GatewayBatchCreated: ({ userId, tokenId, endpoint, inputFileId, at, expiresAt, sealed }, { stream }) => {
      const batch_id = idInStream(stream);
      const its = { batch_id, user_id: userId };
      const open = { in_progress_at: null, finalizing_at: null, cancelling_at: null, ended_at: null, listed_until: null };
      const nothing = { lines: 0, completed: 0, failed: 0, output_file_id: null, error_file_id: null, errors: [] };
      const about = { token_id: tokenId, endpoint, input_file_id: inputFileId, created_at: at, expires_at: expiresAt, sealed };
      return [
        put(batchRows, batch_id, { ...its, ...open, ...nothing, ...about, status: 'validating' }),
        put(pendingRows, batch_id, { ...its, lease_until: at }),
      ];
    },
    GatewayBatchClaimed: ({ leaseUntil }, { stream }) => [patch(pendingRows, idInStream(stream), { lease_until: leaseUntil })],
    // A batch that is being cancelled is shown as such until its end.
    GatewayBatchValidated: ({ lines, at }, { stream }) => [
      update(batchRows, idInStream(stream), (row) =>
        row === null ? null : { ...row, lines, in_progress_at: at, status: row.cancelling_at === null ? 'in_progress' : row.status },
      ),
    ],
    GatewayBatchAdvanced: ({ completed, failed, leaseUntil }, { stream }) => [
      patch(batchRows, idInStream(stream), { completed, failed }),
      patch(pendingRows, idInStream(stream), { lease_until: leaseUntil }),
    ],
    GatewayBatchCancelRequested: ({ at }, { stream }) => [
      patch(batchRows, idInStream(stream), { status: 'cancelling', cancelling_at: at }),
    ],
    GatewayBatchFinalizing: ({ because, at }, { stream }) => [
      patch(batchRows, idInStream(stream), { finalizing_at: at, ...(because !== 'cancelled' && { status: 'finalizing' }) }),
    ],
    GatewayBatchEnded: ({ status, errors, at, listedUntil, outputFileId, errorFileId, completed, failed }, { stream }) => [
      patch(batchRows, idInStream(stream), {
        status,
        errors,
        ended_at: at,
        listed_until: listedUntil,
        output_file_id: outputFileId,
        error_file_id: errorFileId,
        completed,
        failed,
      }),
      remove(pendingRows, idInStream(stream)),
    ],
    GatewayBatchRemoved: (_, { stream }) => [remove(batchRows, idInStream(stream)), remove(pendingRows, idInStream(stream))],
  },
});

/** A batch of this user. Null if the user has no such batch. */
export const GatewayBatchOf = query('GatewayBatchOf', async (models, userId: string, batchId: string): Promise<GatewayBatchRow | null> => {
  const row = await models.get(batchRows, batchId);
  return row?.user_id === userId ? row : null;
});

/** A batch, for its worker. */
export const GatewayBatchById = query('GatewayBatchById', (models, batchId: string): Promise<GatewayBatchRow | null> =>
  models.get(batchRows, batchId),
);

/** Batches of a user, the newest first: later IDs are higher. One row more than `limit` shows that there are more. */
export const GatewayBatchesOf = query(
  'GatewayBatchesOf',
  async (models, userId: string, limit: number, after: string | null): Promise<readonly GatewayBatchRow[]> => {
    const page = {
      index: 'byUser',
      where: { user_id: userId },
      order: 'desc',
      limit: limit + 2,
      ...(after !== null && { to: after }),
    } as const;
    const { rows } = await models.find(batchRows, page);
    return rows.filter(({ batch_id }) => batch_id !== after).slice(0, limit + 1);
  },
);

/** Batches without a worker, the longest waiting ones first. */
export const WaitingBatches = query(
  'WaitingBatches',
  (models, now: Instant, after: Cursor | null): Promise<PageOf<PendingBatchRow, Cursor>> =>
    findUnleased(models, pendingRows, { index: 'byLease', limit: AT_ONCE, ...(after && { after }) }, now),
);

export const BatchesListedUntil = query(
  'BatchesListedUntil',
  (models, now: Instant, after: Cursor | null): Promise<Page<GatewayBatchRow>> =>
    models.find(batchRows, { index: 'byEnd', from: 0, to: now, limit: AT_ONCE, ...(after && { after }) }),
);
