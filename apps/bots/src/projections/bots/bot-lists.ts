import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { shelfId } from '../../domain/shelf.ts';
import { audiencesWith, maySee, type Person } from '../../domain/sharing.ts';
import { rowsOf } from './bot-queries.ts';
import { audienceKey, audienceRows, type BotRow, botRows, relationTo } from './bot-rows.ts';
import { RecentUsesOf } from '../recent-bots.ts';
import { shelfRows } from '../shelves.ts';

/** The user's own bots, the other bots that the user may see, or those that the user has used recently. */
export const LIST_KINDS = ['private', 'shared', 'mixed'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A bot, and whether its reader has starred and recently used it. */
export interface ListedBot {
  readonly row: BotRow;
  readonly is_starred: boolean;
  readonly last_used_time: number | null;
}

export interface ListRequest {
  readonly person: Person;
  readonly kind: ListKind;
  /** If set, only bots that are starred, or only those that are not. */
  readonly starred?: boolean | undefined;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after: string | null;
}

/** The least number of bots that one step reads if some may be left out. A page that leaves out many bots takes several steps. */
export const STEP = 200;

/** Lists of own and shared bots have the newest bots first, and lists of used bots the most recently used. */
export const BotList = query(
  'BotList',
  async (models, { person, kind, starred, limit, after }: ListRequest): Promise<{ bots: readonly ListedBot[]; next: string | null }> => {
    const recent = await RecentUsesOf.find(models, person.userId);
    const candidates = candidatesOf(models, { person, kind, starred, recent, after });
    const found: ListedBot[] = [];
    const areAllListed = kind === 'private' && starred === undefined;
    // One bot more than is returned, to know whether there is another page.
    const step = areAllListed ? limit + 1 : Math.max(STEP, limit + 1);
    while (found.length <= limit) {
      const rows = await candidates(step);
      if (rows === null) break;
      const bots = (await noted(models, person, rows, recent)).filter(
        (bot) => isOfKind(kind, person, bot) && (starred === undefined || bot.is_starred === starred),
      );
      found.push(...bots);
    }
    const bots = found.slice(0, limit);
    const last = bots.at(-1);
    if (!last || found.length <= limit) return { bots, next: null };
    return { bots, next: kind === 'mixed' ? positionOf(last.last_used_time ?? 0, last.row.id) : last.row.id };
  },
);

function isOfKind(kind: ListKind, person: Person, { row, last_used_time }: ListedBot): boolean {
  const isOwn = row.owner_user_id === person.userId;
  return kind === 'mixed' ? last_used_time !== null : isOwn === (kind === 'private');
}

/** Returns the bots that the user may see, in the same order, with the user's stars and uses. */
async function noted(
  models: ReadModels,
  person: Person,
  rows: readonly BotRow[],
  recent: ReadonlyMap<string, number>,
): Promise<readonly ListedBot[]> {
  const seen = rows.filter((row) => maySee(relationTo(person, row)));
  const shelves = await models.getMany(
    shelfRows,
    seen.map(({ id }) => shelfId(person.userId, id)),
  );
  return seen.map((row) => {
    const shelf = shelves.get(shelfId(person.userId, row.id));
    const usedAt = recent.get(row.id) ?? null;
    const isRemoved = usedAt !== null && shelf?.removed_at != null && usedAt <= shelf.removed_at;
    return { row, is_starred: shelf?.is_starred ?? false, last_used_time: isRemoved ? null : usedAt };
  });
}

/** The bots with these IDs that the user may see, with the user's stars and uses. */
export const NotedBots = query('NotedBots', async (models, person: Person, botIds: readonly string[]): Promise<readonly ListedBot[]> => {
  return noted(models, person, await rowsOf(models, botIds), await RecentUsesOf.find(models, person.userId));
});

/** Returns the next candidates of a list at each call, and null at the end. The candidates are a superset of the list, in its order. */
type Candidates = (limit: number) => Promise<readonly BotRow[] | null>;

interface Wanted extends Omit<ListRequest, 'limit'> {
  readonly recent: ReadonlyMap<string, number>;
}

function candidatesOf(models: ReadModels, { person, kind, starred, recent, after }: Wanted): Candidates {
  if (kind === 'mixed') return inMemory(models, [...recent], after);
  if (starred === true) {
    const where = { user_id: person.userId, is_starred: true };
    return fromIndex(models, after, async (last, limit) => {
      const cursor = last === null ? {} : { after: [person.userId, true, last, shelfId(person.userId, last)] };
      const { rows } = await models.find(shelfRows, { index: 'byStar', where, order: 'desc', limit, ...cursor });
      return rows.map((row) => row.bot_id);
    });
  }
  if (kind === 'private') {
    const where = { owner_user_id: person.userId };
    let last = after;
    return async (limit) => {
      const cursor = last === null ? {} : { after: [person.userId, last] };
      const { rows } = await models.find(botRows, { index: 'byOwner', where, order: 'desc', limit, ...cursor });
      last = rows.at(-1)?.id ?? last;
      return rows.length === 0 ? null : rows;
    };
  }
  return fromIndex(models, after, (last, limit) => listedFor(models, person, last, limit));
}

type FindIds = (last: string | null, limit: number) => Promise<readonly string[]>;

function fromIndex(models: ReadModels, after: string | null, find: FindIds): Candidates {
  let last = after;
  return async (limit) => {
    const ids = await find(last, limit);
    last = ids.at(-1) ?? last;
    return ids.length === 0 ? null : rowsOf(models, ids);
  };
}

/** The position of a bot in the order of uses, as text. It stays valid when bots are used again. */
const positionOf = (usedAt: number, botId: string) => `${String(usedAt).padStart(12, '0')}/${botId}`;

function inMemory(models: ReadModels, uses: readonly (readonly [string, number])[], after: string | null): Candidates {
  let left = uses.filter(([id, usedAt]) => after === null || positionOf(usedAt, id) < after).map(([id]) => id);
  return async (limit) => {
    const ids = left.slice(0, limit);
    left = left.slice(limit);
    return ids.length === 0 ? null : rowsOf(models, ids);
  };
}

/** Bots of all audiences of a user, newest first, each once. */
async function listedFor(models: ReadModels, person: Person, last: string | null, limit: number): Promise<readonly string[]> {
  const lists = await Promise.all(
    audiencesWith(person).map(async (audience) => {
      const cursor = last === null ? {} : { after: [audience, last, audienceKey(last, audience)] };
      const wanted = { index: 'byAudience', where: { audience }, order: 'desc', limit, ...cursor } as const;
      return (await models.find(audienceRows, wanted)).rows.map((row) => row.bot_id);
    }),
  );
  return [...new Set(lists.flat())].sort((one, other) => (one < other ? 1 : -1)).slice(0, limit);
}
