import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { type Cursor, projection, put, remove, table } from '@parlance/read-models';
import { botOfUploads, ownerOfUploads, type UploadsEvent } from '../domain/uploads.ts';

/** A user's uploads for a bot that were not cleaned up since. */
export interface UploadsRow {
  owner_user_id: string;
  bot_id: string;
  /** When the last address was given out, in milliseconds. */
  granted: number;
}

const uploadsRows = table<UploadsRow>('knowledge_uploads', { byTime: ['granted'] });

export const knowledgeUploads = projection<UploadsEvent>({
  name: 'knowledge-uploads',
  version: 1,
  tables: [uploadsRows],
  on: {
    UploadGranted: (_, { stream, metadata }) => {
      const id = idInStream(stream);
      return [put(uploadsRows, id, { owner_user_id: ownerOfUploads(id), bot_id: botOfUploads(id), granted: metadata.at })];
    },
    FileRemoved: () => [],
    UploadsCleanedUp: (_, { stream }) => [remove(uploadsRows, idInStream(stream))],
    FilesRemoved: (_, { stream }) => [remove(uploadsRows, idInStream(stream))],
  },
});

/** Uploads whose last address was given out before a time: a page of them. */
export const UploadsBefore = query(
  'UploadsBefore',
  async (models, before: Instant, limit: number, after?: Cursor): Promise<{ rows: readonly UploadsRow[]; next: Cursor | null }> =>
    models.find(uploadsRows, { index: 'byTime', from: 0, to: before, limit, ...(after && { after }) }),
);
