import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Cursor, projection, put, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import { botOfUploads, ownerOfUploads, type UploadsEvent } from '../domain/uploads.ts';

/** A user's uploads for a bot since the last clean-up. */
export interface UploadsRow {
  owner_user_id: string;
  bot_id: string;
  /** When the last address was issued, in milliseconds. */
  granted: number;
  /** All files were removed after that, so any remaining file arrived too late. */
  removed?: boolean;
}

/** Uploads that no saved bot uses are removed after this time. */
export const UNUSED_UPLOAD_MILLIS = 24 * 3_600_000;
/**
 * An upload ends at most this long after its address was issued: the address is valid for an hour, and a transfer takes an hour at most.
 */
export const LONGEST_UPLOAD_MILLIS = 2 * 3_600_000;

const uploadsRows = table<UploadsRow>('knowledge_uploads', { byTime: ['granted'] });

/** The time to record so that the uploads are cleaned up when all current uploads have ended. */
const dueAfterUploads = (now: Instant) => Instant.plus(now, LONGEST_UPLOAD_MILLIS - UNUSED_UPLOAD_MILLIS);

const granted = (id: string, at: Instant) => [
  put(uploadsRows, id, { owner_user_id: ownerOfUploads(id), bot_id: botOfUploads(id), granted: at }),
];

export const knowledgeUploads = projection<UploadsEvent>({
  name: 'knowledge-uploads',
  version: 2,
  tables: [uploadsRows],
  on: {
    UploadGranted: (_, { stream, metadata }) => granted(idInStream(stream), metadata.at),
    CopiesGranted: (_, { stream, metadata }) => granted(idInStream(stream), metadata.at),
    FileRemoved: () => [],
    // An address that was issued during the clean-up is left for the next one.
    UploadsCleanedUp: (_, { stream, metadata }) => [
      update(uploadsRows, idInStream(stream), (row) => (row && row.granted > metadata.at - UNUSED_UPLOAD_MILLIS ? row : null)),
    ],
    // An upload can still arrive with an address that was issued before, so the clean-up checks again when all of them have expired.
    FilesRemoved: (_, { stream, metadata }) => [
      update(
        uploadsRows,
        idInStream(stream),
        (row) => row && { ...row, granted: Math.min(row.granted, dueAfterUploads(metadata.at)), removed: true },
      ),
    ],
  },
});

/** Uploads whose last address was issued before a time: one page. */
export const UploadsBefore = query(
  'UploadsBefore',
  async (models, before: Instant, limit: number, after: Cursor | null): Promise<{ rows: readonly UploadsRow[]; next: Cursor | null }> =>
    models.find(uploadsRows, { index: 'byTime', from: 0, to: before, limit, ...(after && { after }) }),
);
