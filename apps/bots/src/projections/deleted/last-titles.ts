import { idInStream } from '@parlance/event-store';
import { projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { BotEvent } from '../../domain/bot.ts';

/** The sealed last title of a deleted bot. It is removed when its owner is erased. */
interface LastTitleRow {
  readonly owner_user_id: string;
  readonly title: string;
}

const lastTitleRows = table<LastTitleRow>('last_titles', { byOwner: ['owner_user_id'] });

export const lastTitles = projection<BotEvent>({
  name: 'last-titles',
  version: 1,
  tables: [lastTitleRows],
  on: {
    BotDeleted: ({ ownerUserId, lastTitle: title }, { stream }) =>
      title === undefined ? [] : [put(lastTitleRows, idInStream(stream), { owner_user_id: ownerUserId, title })],
    LastTitleForgotten: (_, { stream }) => [remove(lastTitleRows, idInStream(stream))],
  },
});

/** The titles of deleted bots, by bot. */
export const LastTitlesOf = query('LastTitlesOf', async (models, botIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  return new Map([...(await models.getMany(lastTitleRows, botIds))].map(([id, { title }]) => [id, title]));
});

const ERASED_AT_ONCE = 1_000;

/** The IDs of some of a user's deleted bots whose titles are kept. */
export const LastTitlesOfOwner = query('LastTitlesOfOwner', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(lastTitleRows, { index: 'byOwner', where: { owner_user_id: userId }, limit: ERASED_AT_ONCE })).keys;
});
