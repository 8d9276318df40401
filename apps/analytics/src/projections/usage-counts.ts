import { query } from '@parlance/foundation';
import type { Window } from '../domain/window.ts';
import { spendKey, type SpendRow, spendRows } from './spend/spend-rows.ts';
import { botUserHourRows, conversationHourRows } from './usage-days.ts';
import { type Asked, pagesOf } from './usage-in-window.ts';

/** The figures of each user or bot in a month: one row of each is read. */
export const AllOfMonth = query(
  'AllOfMonth',
  async (models, scope: 'user' | 'bot', month: string): Promise<ReadonlyMap<string, SpendRow>> => {
    const all = new Map<string, SpendRow>();
    for await (const rows of pagesOf(models, spendRows, { index: 'ranked', where: { month, scope, model: '' } }))
      for (const row of rows) all.set(row.id, row);
    return all;
  },
);

/** The figures of some users or bots in a month. */
export const SomeOfMonth = query(
  'SomeOfMonth',
  async (models, scope: 'user' | 'bot', month: string, ids: readonly string[]): Promise<ReadonlyMap<string, SpendRow>> => {
    const keys = ids.map((id) => spendKey(month, scope, id, ''));
    return new Map([...(await models.getMany(spendRows, keys)).values()].map((row) => [row.id, row]));
  },
);

/** In how many conversations each user was charged in a window, each counted once. Of one user, if one is given. */
export const ConversationsInWindow = query(
  'ConversationsInWindow',
  async (models, { from, to }: Window, userId?: string): Promise<ReadonlyMap<string, number>> => {
    const seen = new Map<string, Set<string>>();
    const asked: Asked =
      userId === undefined ? { index: 'key', from: `${from}|`, to: `${to}|~` } : { index: 'byUser', where: { user_id: userId }, from, to };
    for await (const rows of pagesOf(models, conversationHourRows, asked))
      for (const { user_id, conversation_id } of rows) {
        const its = seen.get(user_id);
        if (its) its.add(conversation_id);
        else seen.set(user_id, new Set([conversation_id]));
      }
    return new Map([...seen].map(([id, conversations]) => [id, conversations.size]));
  },
);

/** The users who were charged in conversations with a bot, by day. */
export const UsersOfBot = query(
  'UsersOfBot',
  async (models, botId: string, { from, to }: Window): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
    const days = new Map<string, Set<string>>();
    for await (const rows of pagesOf(models, botUserHourRows, { index: 'byBot', where: { bot_id: botId }, from, to }))
      for (const { hour, user_id } of rows) {
        const day = hour.slice(0, 10);
        const its = days.get(day);
        if (its) its.add(user_id);
        else days.set(day, new Set([user_id]));
      }
    return days;
  },
);
