import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { BotText } from '../../domain/configuration.ts';
import { maySee, type Person, SHARED_AUDIENCE } from '../../domain/sharing.ts';
import {
  audienceKey,
  audienceRows,
  type BotContentRow,
  botContentRows,
  type BotRow,
  botRows,
  erasedBotsRows,
  relationTo,
} from './bot-rows.ts';

const READS_OF_A_CHANGING_BOT = 3;

/**
 * A bot with its content. Both rows are written together but read one after the other, so they are read again if the bot has changed in
 * between. With a person, null also if this user may not see the bot: then its content is not read, because the response time would reveal
 * it.
 */
export const WholeBot = query(
  'WholeBot',
  async (models, botId: string, person: Person | null): Promise<{ row: BotRow; content: BotContentRow } | null> => {
    for (let reads = 1; ; reads++) {
      const row = await models.get(botRows, botId);
      if (!row || (person && !maySee(relationTo(person, row)))) return null;
      const content = await models.get(botContentRows, botId);
      if (!content) return null;
      if (row.content_version === content.version || reads === READS_OF_A_CHANGING_BOT) return { row, content };
    }
  },
);

/** Bots that were changed after a position of the log, in the order of the changes, and whether there are more. */
export const BotsChangedAfter = query(
  'BotsChangedAfter',
  async (models, position: number, limit: number): Promise<{ rows: readonly BotRow[]; more: boolean }> => {
    const { rows, next } = await models.find(botRows, { index: 'byPosition', from: position + 1, limit });
    return { rows, more: next !== null };
  },
);

/** The number of rows that are read at once. With the longest lists they have about 3 MB. */
const ROWS_AT_ONCE = 200;

/** The bots that are not deleted, in the order of their IDs in the argument. */
export async function rowsOf(models: ReadModels, ids: readonly string[]): Promise<readonly BotRow[]> {
  const rows: BotRow[] = [];
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const part = ids.slice(from, from + ROWS_AT_ONCE);
    const found = await models.getMany(botRows, part);
    rows.push(...part.flatMap((id) => found.get(id) ?? []));
  }
  return rows;
}

/** The number of IDs in a page of bots. Erasures request the next page when the bots of this page are changed. */
const ERASED_AT_ONCE = 1_000;

/** The IDs of some of a user's bots. */
export const BotsOf = query('BotsOf', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(botRows, { index: 'byOwner', where: { owner_user_id: userId }, limit: ERASED_AT_ONCE })).keys;
});

/** The number of bots in a page that a service reads for their owner. */
const OWN_AT_ONCE = 10;

/** The bots of a user in the order of their IDs. */
export const OwnBotIds = query(
  'OwnBotIds',
  async (models, userId: string, after: string | null): Promise<{ ids: readonly string[]; next: string | null }> => {
    const cursor = after === null ? {} : { after: [userId, after] };
    const { keys, next } = await models.find(botRows, {
      index: 'byOwner',
      where: { owner_user_id: userId },
      limit: OWN_AT_ONCE,
      ...cursor,
    });
    return { ids: keys, next: next === null ? null : keys.at(-1)! };
  },
);

/** How many bots were deleted with this owner. */
export const BotsErasedOf = query('BotsErasedOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedBotsRows, userId))?.bots ?? 0;
});

/** The IDs of some of the bots that are listed under an audience. */
export const BotsListedUnder = query('BotsListedUnder', async (models, audience: string): Promise<readonly string[]> => {
  const { rows } = await models.find(audienceRows, { index: 'byAudience', where: { audience }, limit: ERASED_AT_ONCE });
  return rows.map((row) => row.bot_id);
});

/** Titles of bots that are not deleted, by bot. */
export const TitlesOf = query('TitlesOf', async (models, botIds: readonly string[]): Promise<ReadonlyMap<string, BotText>> => {
  return new Map((await rowsOf(models, botIds)).map((row) => [row.id, row.title]));
});

/** The IDs of the bots that are not private, newest first. */
export const SharedBotIds = query(
  'SharedBotIds',
  async (models, after: string | null, limit: number): Promise<{ bot_ids: readonly string[]; next: string | null }> => {
    const cursor = after === null ? {} : { after: [SHARED_AUDIENCE, after, audienceKey(after, SHARED_AUDIENCE)] };
    const wanted = { index: 'byAudience', where: { audience: SHARED_AUDIENCE }, order: 'desc', limit: limit + 1, ...cursor } as const;
    const ids = (await models.find(audienceRows, wanted)).rows.map((row) => row.bot_id);
    const bot_ids = ids.slice(0, limit);
    return { bot_ids, next: ids.length > limit ? bot_ids.at(-1)! : null };
  },
);

/** The bots with these IDs that are not deleted, in the order of the IDs. */
export const BotsWithIds = query('BotsWithIds', (models, ids: readonly string[]): Promise<readonly BotRow[]> => rowsOf(models, ids));

/** The bots with these IDs that a person may see. */
export const SeenBots = query('SeenBots', async (models, ids: readonly string[], person: Person): Promise<readonly BotRow[]> =>
  (await rowsOf(models, ids)).filter((row) => maySee(relationTo(person, row))),
);
