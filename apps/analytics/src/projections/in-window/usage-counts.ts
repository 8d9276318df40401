import { inTurns, isTurnOver, nextTurn } from '@parlance/event-loop';
import { ReadModels, type Table } from '@parlance/read-models';
import { query, queryWith } from '../../bus.ts';
import { stretchesOf, type Window } from '../../domain/window.ts';
import { knownDayCounts, ownDayCounts } from './costs-in-window.ts';
import { KeptFigures } from './kept-figures.ts';
import { rankedIn, spendKey, type SpendRow, spendRows } from '../spend/spend-rows.ts';
import { conversationHourRows, type LaterDay, laterDayRows, ownDayKey, ownDayOf, ownDayRows, usageDayRows } from '../usage-days.ts';
import { type PagedQuery, pagesOf } from './usage-in-window.ts';

/** In how many conversations each user was charged in a month. Reads one row per user. */
export const ConversationsOfMonth = query('ConversationsOfMonth', async (models, month: string): Promise<ReadonlyMap<string, number>> => {
  const all = new Map<string, number>();
  for await (const rows of pagesOf(models, spendRows, rankedIn(month, 'user'))) for (const { id, parts = 0 } of rows) all.set(id, parts);
  return all;
});

/** The figures of some users, bots or API keys in a month. */
export const SomeOfMonth = query(
  'SomeOfMonth',
  async (models, scope: 'user' | 'bot' | 'key', month: string, ids: readonly string[]): Promise<ReadonlyMap<string, SpendRow>> => {
    const keys = ids.map((id) => spendKey(month, scope, id, ''));
    return new Map([...(await models.getMany(spendRows, keys)).values()].map((row) => [row.id, row]));
  },
);

/** The number of users whose rows are read concurrently. */
const AT_ONCE = 10;
/** The number of conversations that are looked up at once. */
const LOOKED_UP = 500;

/** In how many conversations each user was charged in a window, each counted once. */
export const ConversationsOfAll = queryWith(
  'ConversationsOfAll',
  [ReadModels, KeptFigures],
  async ([models, kept], window: Window): Promise<ReadonlyMap<string, number>> =>
    withOthers(models, window, await ownDayCounts(models, kept, window), null),
);

/** Like `ConversationsOfAll`, for some users. */
export const ConversationsOfSome = queryWith(
  'ConversationsOfSome',
  [ReadModels, KeptFigures],
  ([models, kept], window: Window, userIds: readonly string[]) => conversationsOfSome(models, kept, window, userIds),
);

export async function conversationsOfSome(
  models: ReadModels,
  kept: KeptFigures,
  window: Window,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const add = (id: string, count: number) => count > 0 && counts.set(id, (counts.get(id) ?? 0) + count);
  const whole = wholeDaysOf(window);
  if (whole) {
    const known = await knownDayCounts(models, kept, whole);
    for (const id of userIds) add(id, known.counts.get(id) ?? 0);
    // The rows of all users of a day are not read, because they are a hundred times as many as the rows of some users.
    const missing = new Set(known.missing);
    const [from, to] = [known.missing[0], known.missing.at(-1)];
    await inTurns(missing.size > 0 ? userIds : [], AT_ONCE, async (id) => {
      for await (const rows of pagesOf(models, usageDayRows, { index: 'ofOne', where: { scope: 'user', id }, from, to }))
        for (const { day, conversations = 0 } of rows) if (missing.has(day)) add(id, conversations);
    });
  }
  return withOthers(models, window, counts, userIds);
}

const wholeDaysOf = (window: Window) => stretchesOf(window).find(({ rows }) => rows === 'days');

/**
 * Adds the conversations that the counts of the window's days do not include: those of the hours before and after, and those charged on a
 * day other than the one in their ID. A conversation is skipped if the day in its ID is in the window and has a charge.
 */
async function withOthers(models: ReadModels, window: Window, counts: Map<string, number>, userIds: readonly string[] | null) {
  const users = new Map<string, string>();
  const whole = wholeDaysOf(window);
  const note = (day: string | null, user: string, conversation: string) => users.set(ownDayKey(day ?? '', user, conversation), user);
  for (const { rows: kind, from, to } of stretchesOf(window))
    await inTurns(userIds ?? [null], AT_ONCE, async (user_id) => {
      const asked: PagedQuery =
        user_id === null ? { index: 'key', from: `${from}|`, to: `${to}|~` } : { index: 'byUser', where: { user_id }, from, to };
      const table: Table<Pick<LaterDay, 'user_id' | 'conversation_id'>> = kind === 'days' ? laterDayRows : conversationHourRows;
      for await (const rows of pagesOf(models, table, asked))
        for (const row of rows) note(ownDayOf(row.conversation_id), row.user_id, row.conversation_id);
    });
  const keys = [...users.keys()];
  for (let at = 0; at < keys.length; at += LOOKED_UP) {
    const some = keys.slice(at, at + LOOKED_UP);
    const own = whole ? some.filter((key) => key >= whole.from && key < `${whole.to}~`) : [];
    const counted = own.length === 0 ? null : await models.getMany(ownDayRows, own);
    for (const key of some) {
      const user = users.get(key)!;
      if (!counted?.has(key)) counts.set(user, (counts.get(user) ?? 0) + 1);
    }
    if (isTurnOver()) await nextTurn();
  }
  return counts;
}
