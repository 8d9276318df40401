import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, projection, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { ShelfEvent } from '../domain/shelf.ts';

/** A user's star for a bot, and its removal from the recently used bots. The key is the ID of the shelf's stream. */
export interface ShelfRow {
  user_id: string;
  bot_id: string;
  is_starred: boolean;
  /** Uses up to this time (in seconds) are not shown as recent. */
  removed_at: number | null;
}

/** How many entries of an erased user were removed, for the receipt. */
interface ErasedShelfRow {
  user_id: string;
  entries: number;
}

export const shelfRows = table<ShelfRow>('shelves', { byStar: ['user_id', 'is_starred', 'bot_id'] });
const erasedShelfRows = table<ErasedShelfRow>('erased_shelves');

function noted({ stream }: At, fields: Partial<ShelfRow>): Change[] {
  const id = idInStream(stream);
  const [user_id = '', bot_id = ''] = id.split('.');
  return [update(shelfRows, id, (row) => ({ user_id, bot_id, is_starred: false, removed_at: null, ...row, ...fields }))];
}

export const shelves = projection<ShelfEvent>({
  name: 'shelves',
  version: 1,
  tables: [shelfRows, erasedShelfRows],
  on: {
    BotStarred: (_, at) => noted(at, { is_starred: true }),
    BotUnstarred: (_, at) => noted(at, { is_starred: false }),
    RemovedFromRecent: (_, at) => noted(at, { removed_at: Instant.toSeconds(at.metadata.at) }),
    ShelfCleared: (_, { stream }) => {
      const [user_id = ''] = idInStream(stream).split('.');
      return [remove(shelfRows, idInStream(stream)), add(erasedShelfRows, user_id, { entries: 1 }, { user_id })];
    },
  },
});

/** The stream IDs of at most a thousand entries of a user's shelf. */
export const ShelvesOf = query('ShelvesOf', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(shelfRows, { index: 'byStar', where: { user_id: userId }, limit: 1_000 })).keys;
});

/** How many entries of this user were removed. */
export const ShelvesErasedOf = query('ShelvesErasedOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedShelfRows, userId))?.entries ?? 0;
});
