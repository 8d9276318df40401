import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Change, type Cursor, projection, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import { type Counts, type KeyUseEvent, STATUSES } from '../domain/key-use.ts';
import type { PublicationEvent } from '../domain/publication-events.ts';

/** The requests to a published bot in one hour. */
export interface UsageRow {
  bot_id: string;
  api_id: string;
  /** Epoch seconds. */
  hour: number;
  by_key: Readonly<Record<string, Counts>>;
}

const HOUR_MILLIS = 3_600_000;
/** The number of days for which the usage of a published bot is kept. */
export const KEPT_DAYS = 93;
const KEPT_HOURS = KEPT_DAYS * 24;

const usageRows = table<UsageRow>('api_usage', { byBot: ['bot_id', 'hour'] });

/** The row of an hour replaces the row from `KEPT_DAYS` earlier, so a bot has a bounded number of rows. */
const keyOf = (botId: string, slot: number) => `${botId}/${slot % KEPT_HOURS}`;

export const apiUsage = projection<KeyUseEvent | PublicationEvent>({
  name: 'api-usage',
  version: 1,
  tables: [usageRows],
  on: {
    ApiUsageRecorded: ({ botId, apiId, hour, counts }, { stream }) => {
      const [keyId, seconds] = [idInStream(stream), Instant.toSeconds(hour)];
      const begin: UsageRow = { bot_id: botId, api_id: apiId, hour: seconds, by_key: {} };
      return [
        update(usageRows, keyOf(botId, Math.floor(hour / HOUR_MILLIS)), (before) => {
          // A later hour has already replaced the row of the reported hour.
          if (before && before.hour > seconds) return before;
          const row = before?.hour === seconds && before.api_id === apiId ? before : begin;
          return { ...row, by_key: { ...row.by_key, [keyId]: sumOf(row.by_key[keyId], counts) } };
        }),
      ];
    },
    PublicationRemoved: ({ wasPublished }, { stream }): Change[] =>
      wasPublished ? Array.from({ length: KEPT_HOURS }, (_, slot) => remove(usageRows, keyOf(idInStream(stream), slot))) : [],
  },
});

const NONE: Counts = { '2xx': 0, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 };

const sumOf = (before: Counts = NONE, more: Counts): Counts =>
  Object.fromEntries(STATUSES.map((status) => [status, before[status] + more[status]])) as Counts;

export interface UsagePage {
  readonly rows: readonly UsageRow[];
  readonly next: Cursor | null;
}

/** The hours in one page. With 100 keys in each hour, adding up a page takes 6 ms. */
const HOURS_OF_A_PAGE = 24;
/** The size of a page. An hour's row includes keys that were revoked in that hour, so its size is not bounded by the number of keys. */
const BYTES_OF_A_PAGE = 256 * 1024;

/** The hours of a publication in a window, earliest first. Both ends are in epoch seconds and included. `next`: the start of the next page. */
export const UsageOfApi = query(
  'UsageOfApi',
  async (models, botId: string, apiId: string, from: number, to: number, after: Cursor | null): Promise<UsagePage> => {
    const page = { index: 'byBot', where: { bot_id: botId }, from, to, limit: HOURS_OF_A_PAGE, bytes: BYTES_OF_A_PAGE };
    const { rows, next } = await models.find(usageRows, { ...page, ...(after && { after }) });
    return { rows: rows.filter(({ api_id }) => api_id === apiId), next };
  },
);
