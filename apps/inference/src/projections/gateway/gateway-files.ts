import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type Cursor, type Page, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { FilePurpose, GatewayFilesEvent } from '../../domain/gateway/gateway-files.ts';

/** A file that a user has stored for calls of models. */
export interface GatewayFileRow {
  readonly file_id: string;
  readonly user_id: string;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  readonly at: Instant;
  readonly expires_at: Instant;
  readonly sealed: string;
}

interface ErasedFilesRow {
  readonly files: number;
}

const fileRows = table<GatewayFileRow>('gateway_files', {
  byUser: ['user_id', 'file_id'],
  byPurpose: ['user_id', 'purpose', 'file_id'],
  byExpiry: ['expires_at'],
});
const erasedRows = table<ErasedFilesRow>('erased_gateway_files');

/** Expired files that one round removes. */
const REMOVED_AT_ONCE = 100;

export const gatewayFileList = projection<GatewayFilesEvent>({
  name: 'gateway-files',
  version: 1,
  tables: [fileRows, erasedRows],
  on: {
    GatewayFileAdded: ({ fileId, purpose, bytes, at, expiresAt, sealed }, { stream }) => [
      put(fileRows, fileId, { file_id: fileId, user_id: idInStream(stream), purpose, bytes, at, expires_at: expiresAt, sealed }),
    ],
    GatewayFileRemoved: ({ fileId }) => [remove(fileRows, fileId)],
    GatewayFilesErased: ({ files }, { stream }) => (files > 0 ? [add(erasedRows, idInStream(stream), { files }, {})] : []),
  },
});

/** A file of this user. Null if the user has no such file. */
export const GatewayFileOf = query('GatewayFileOf', async (models, userId: string, fileId: string): Promise<GatewayFileRow | null> => {
  const row = await models.get(fileRows, fileId);
  return row?.user_id === userId ? row : null;
});

export interface FileListing {
  readonly purpose: FilePurpose | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** The last file of the page before. */
  readonly after: string | null;
}

/** Files of a user in the order of their creation: later IDs are higher. One row more than `limit` shows that there are more. */
export const GatewayFilesOf = query(
  'GatewayFilesOf',
  async (models, userId: string, { purpose, order, limit, after }: FileListing): Promise<readonly GatewayFileRow[]> => {
    const bound = after === null ? {} : order === 'asc' ? { from: after } : { to: after };
    const page = { order, limit: limit + 2, ...bound };
    const { rows } =
      purpose === null
        ? await models.find(fileRows, { index: 'byUser', where: { user_id: userId }, ...page })
        : await models.find(fileRows, { index: 'byPurpose', where: { user_id: userId, purpose }, ...page });
    return rows.filter(({ file_id }) => file_id !== after).slice(0, limit + 1);
  },
);

export const GatewayFilesExpiredAt = query(
  'GatewayFilesExpiredAt',
  (models, now: Instant, after: Cursor | null): Promise<Page<GatewayFileRow>> =>
    models.find(fileRows, { index: 'byExpiry', to: now, limit: REMOVED_AT_ONCE, ...(after && { after }) }),
);

export const ErasedGatewayFilesOf = query('ErasedGatewayFilesOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedRows, userId))?.files ?? 0;
});
