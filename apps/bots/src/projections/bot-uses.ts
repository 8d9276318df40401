import type { MessageSubmitted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { add, foreignProjection, type Moment, type Outdated, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';

/** The number of days for which a use counts towards a bot's popularity. */
export const DAYS_COUNTED = 30;
export const DAY = 24 * 60 * 60 * 1000;

/** How often a bot was used on a day (UTC). The key begins with the day. */
interface DayRow {
  day: string;
  bot_id: string;
  uses: number;
}

const dayRows = table<DayRow>('bot_uses', { byUses: ['day', 'uses'] });
const newestRows = table<Moment>('newest_use');

export const dayOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);

const outdated: Outdated = {
  newest: (models) => models.get(newestRows, 'newest'),
  before: ({ time }) => [{ table: dayRows, key: dayOf(Date.parse(time) - (DAYS_COUNTED + 1) * DAY) }],
};

type Received = CloudEvent<MessageSubmitted, 'parlance.inference.message-submitted.v1'>;

/**
 * Counts uses of bots by users, for popularity. This projection reads only one service, because that service's time decides when rows are outdated.
 */
export const botUses = foreignProjection<Received>({
  name: 'bot-uses',
  version: 2,
  tables: [dayRows, newestRows],
  outdated,
  on: {
    'parlance.inference.message-submitted.v1': ({ time, sequence, data: { bot_id, api_id } }) => {
      // Requests by programs do not count, because a program can send more than all users together.
      if (bot_id === null || api_id !== undefined) return [];
      const day = time.slice(0, 10);
      const moment = { position: Number.parseInt(sequence, 10), time };
      return [
        update(newestRows, 'newest', (row) => (row && row.position >= moment.position ? row : moment)),
        add(dayRows, `${day}/${bot_id}`, { uses: 1 }, { day, bot_id }),
      ];
    },
  },
});

/** The most used bots of a day. */
export const MostUsedOn = query('MostUsedOn', async (models, day: string, limit: number): Promise<readonly DayRow[]> => {
  return (await models.find(dayRows, { index: 'byUses', where: { day }, order: 'desc', limit })).rows;
});
