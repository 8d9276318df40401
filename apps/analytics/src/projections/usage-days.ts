import type { KnowledgeCharged, ModelChecked, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import { add, type Change, put, table } from '@parlance/read-models';
import type { Amounts } from './spend/spend-rows.ts';
import type { PaidUse } from './usage-hours.ts';

type Charge = ReplyCompleted | TokensCharged | KnowledgeCharged | ModelChecked;

/** What was charged on a day (UTC) to all, to a user, through a bot or with an API key, on one model. The key begins with the day. */
export interface UsageDay {
  day: string;
  scope: 'all' | 'user' | 'bot' | 'key';
  /** '' for all, and for conversations without a bot: so the sums over bots are the sums over all. */
  id: string;
  model: string;
  /** As billed. */
  nano_dollars: number;
  /** What restatements have added to the cost as corrected. Absent without any. */
  corrections?: number;
  input_tokens: number;
  output_tokens: number;
  /** Of all: how many charges and corrections of the day have this model. Another number means that rows of the day may have changed. */
  changes?: number;
}

/** A conversation in which its user was charged in an hour. The key begins with the hour. */
export interface ConversationHour {
  user_id: string;
  /** As 2026-11-21T09. */
  hour: string;
  conversation_id: string;
}

/** A user who was charged in a conversation with a bot in an hour. The key begins with the hour. */
export interface BotUserHour {
  bot_id: string;
  /** As 2026-11-21T09. */
  hour: string;
  user_id: string;
}

export const usageDayRows = table<UsageDay>('usage_days', { byDay: ['scope', 'day'], ofOne: ['scope', 'id', 'day'] });
export const conversationHourRows = table<ConversationHour>('usage_conversations', { byUser: ['user_id', 'hour'] });
export const botUserHourRows = table<BotUserHour>('usage_bot_users', { byBot: ['bot_id', 'hour'] });

/** Adds to the rows of a day. Removed with the hours of usage, after 13 months. */
export function onDays(day: string, { user_id, bot_id, model, api_key_id: key }: PaidUse, amounts: Amounts): readonly Change[] {
  const of = (scope: UsageDay['scope'], id: string, more: { readonly changes?: number } = {}) =>
    add(usageDayRows, `${day}|${scope}|${id}|${model}`, { ...amounts, ...more }, { day, scope, id, model });
  return [of('all', '', { changes: 1 }), of('user', user_id), of('bot', bot_id ?? ''), ...(key === undefined ? [] : [of('key', key)])];
}

/** Marks the conversation and the user of the bot. */
export function usedInConversation(time: string, data: Charge): readonly Change[] {
  if (!('conversation_id' in data)) return [];
  const { user_id, bot_id, conversation_id } = data;
  const hour = time.slice(0, 13);
  return [
    put(conversationHourRows, `${hour}|${user_id}|${conversation_id}`, { user_id, hour, conversation_id }),
    ...(bot_id === null ? [] : [put(botUserHourRows, `${hour}|${bot_id}|${user_id}`, { bot_id, hour, user_id })]),
  ];
}
