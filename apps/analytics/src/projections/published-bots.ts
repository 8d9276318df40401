import type { ApiUsageRecorded, PublicationRemoved, PublicationSucceeded } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { add, type Cursor, foreignProjection, Projector, put, ReadModels, remove, table, update } from '@parlance/read-models';
import { query, queryWith } from '../bus.ts';
import type { AsOf } from './as-of.ts';

/** A bot that is published now. */
export interface PublishedBotRow {
  bot_id: string;
  owner_user_id: string;
  api_id: string;
  stage: string;
  /** RFC 3339. */
  published_at: string;
}

/** Requests to a published API. There is one row for each publication, including removed ones. */
interface RequestsRow {
  requests: number;
}

const publishedRows = table<PublishedBotRow>('published_bots', { byTime: ['published_at'] });
/** One row: the newest event that is included. */
const newestRows = table<AsOf>('published_newest');
const requestRows = table<RequestsRow>('published_requests');

type Received =
  | CloudEvent<PublicationSucceeded, 'parlance.publication.publication-succeeded.v1'>
  | CloudEvent<PublicationRemoved, 'parlance.publication.publication-removed.v1'>
  | CloudEvent<ApiUsageRecorded, 'parlance.publication.api-usage-recorded.v1'>;

/** The uses of a key are on another stream than its publication, so they may arrive before or after the publication exists. */
export const publishedBots = foreignProjection<Received>({
  name: 'published-bots',
  version: 1,
  tables: [publishedRows, requestRows, newestRows],
  on: {
    'parlance.publication.publication-succeeded.v1': ({ time, sequence, data: { bot_id, owner_user_id, api_id, stage } }) => [
      newest(time, sequence),
      put(publishedRows, bot_id, { bot_id, owner_user_id, api_id, stage, published_at: time }),
    ],
    'parlance.publication.publication-removed.v1': ({ time, sequence, data }) => [
      newest(time, sequence),
      remove(publishedRows, data.bot_id),
    ],
    'parlance.publication.api-usage-recorded.v1': ({ time, sequence, data }) => [
      newest(time, sequence),
      add(requestRows, data.api_id, { requests: data.request_count }, {}),
    ],
  },
});

function newest(time: string, sequence: string) {
  const event = { position: Number.parseInt(sequence, 10), time };
  return update(newestRows, 'newest', (row) => (row && row.position >= event.position ? row : event));
}

/** The newest event of publications that the rows include. */
export const NewestOfPublications = queryWith('NewestOfPublications', [ReadModels, Projector], async ([models, projector]) => {
  const row = await models.get(newestRows, 'newest');
  return row && projector.complete(publishedBots.name, row);
});

export interface PublishedBot extends PublishedBotRow {
  readonly requests: number;
}

/** Published bots, most recently published first. */
export const PublishedBots = query(
  'PublishedBots',
  async (models, limit: number, after: Cursor | null): Promise<{ bots: readonly PublishedBot[]; next: Cursor | null }> => {
    const { rows, next } = await models.find(publishedRows, { index: 'byTime', order: 'desc', limit, ...(after && { after }) });
    const requests = await models.getMany(
      requestRows,
      rows.map(({ api_id }) => api_id),
    );
    return { bots: rows.map((row) => ({ ...row, requests: requests.get(row.api_id)?.requests ?? 0 })), next };
  },
);

/** Which of these bots are published. */
export const PublishedAmong = query('PublishedAmong', (models, botIds: readonly string[]): Promise<ReadonlyMap<string, PublishedBotRow>> =>
  models.getMany(publishedRows, botIds),
);
