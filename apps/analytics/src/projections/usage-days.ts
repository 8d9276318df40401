import type { CallCompleted, KnowledgeCharged, ModelChecked, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import { timeOfId } from '@parlance/event-store';
import { add, type Change, first, put, table } from '@parlance/read-models';
import type { Amounts } from './spend/spend-rows.ts';
import type { PaidUse } from './usage-hours.ts';

type Charge = ReplyCompleted | TokensCharged | KnowledgeCharged | ModelChecked | CallCompleted;

/**
 * The charges on a day (UTC) for all, for a user, through a bot, with an API key or a token, of a cost centre or with a tag, on one model. A user
 * has a row for each bot and API key. The key begins with the day.
 */
export interface UsageDay {
  day: string;
  scope: 'all' | 'user' | 'bot' | 'key' | 'token' | 'cost_centre' | 'tag';
  /** '' for all, and for conversations without a bot, so that the sums over bots equal the sums over all. */
  id: string;
  model: string;
  /** Set for a user; null without a bot. */
  bot_id?: string | null;
  /** Set for a user with an API key of a published bot. */
  api_key_id?: string;
  /** As billed. */
  nano_dollars: number;
  /** The amount that restatements added to the cost as corrected. Absent without restatements. */
  corrections?: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Set for a user: conversations that have this day in their ID and a charge on it. Each is in the row of one of its charges. Absent
   * without any.
   */
  conversations?: number;
  /** Set for all: how many charges and corrections of the day have this model. If the number differs, rows of the day may have changed. */
  changes?: number;
}

/** A conversation in which its user was charged in an hour. The key begins with the hour. */
export interface ConversationHour {
  user_id: string;
  /** As 2026-11-21T09. */
  hour: string;
  conversation_id: string;
}

/** A conversation in which its user was charged on another day than the one in its ID. The key begins with the day. */
export interface LaterDay {
  user_id: string;
  day: string;
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
/** Conversations that are counted on the day in their ID. The key begins with the day. */
export const ownDayRows = table<Record<string, never>>('usage_own_days');
export const laterDayRows = table<LaterDay>('usage_later_days', { byUser: ['user_id', 'day'] });
export const botUserHourRows = table<BotUserHour>('usage_bot_users', { byBot: ['bot_id', 'hour'] });

const NOTHING: Amounts = { nano_dollars: 0, input_tokens: 0, output_tokens: 0 };

function ofUser(
  day: string,
  { user_id: id, bot_id, model, api_key_id: key }: PaidUse,
  amounts: Amounts & Pick<UsageDay, 'conversations'>,
): Change {
  const row = { day, scope: 'user', id, model, bot_id, ...(key !== undefined && { api_key_id: key }) } as const;
  return add(usageDayRows, `${day}|user|${id}|${model}|${bot_id ?? ''}|${key ?? ''}`, { ...amounts }, row);
}

/** Adds to the rows of a day. Removed with the hours of usage, after 13 months. */
export function onDays(day: string, use: PaidUse, amounts: Amounts): readonly Change[] {
  const { bot_id, model, api_key_id: key } = use;
  const of = (scope: UsageDay['scope'], id: string, more: { readonly changes?: number } = {}) =>
    add(usageDayRows, `${day}|${scope}|${id}|${model}`, { ...amounts, ...more }, { day, scope, id, model });
  return [
    of('all', '', { changes: 1 }),
    ofUser(day, use, amounts),
    of('bot', bot_id ?? ''),
    ...(key === undefined ? [] : [of('key', key)]),
  ];
}

/** The day in a conversation's ID. Null for an ID without a time. */
export function ownDayOf(conversationId: string): string | null {
  const millis = timeOfId(conversationId);
  return millis === null ? null : new Date(millis).toISOString().slice(0, 10);
}

export const ownDayKey = (day: string, userId: string, conversationId: string): string => `${day}|${userId}|${conversationId}`;

/** Marks the conversation and the user of the bot, in the hour and on the day. */
export function usedInConversation(time: string, data: Charge, use: PaidUse): readonly Change[] {
  if (!('conversation_id' in data)) return [];
  const { user_id, bot_id, conversation_id } = data;
  const [hour, day] = [time.slice(0, 13), time.slice(0, 10)];
  const key = ownDayKey(day, user_id, conversation_id);
  return [
    put(conversationHourRows, `${hour}|${user_id}|${conversation_id}`, { user_id, hour, conversation_id }),
    ownDayOf(conversation_id) === day
      ? first(ownDayRows, key, {}, [ofUser(day, use, { ...NOTHING, conversations: 1 })])
      : put(laterDayRows, key, { user_id, day, conversation_id }),
    ...(bot_id === null ? [] : [put(botUserHourRows, `${hour}|${bot_id}|${user_id}`, { bot_id, hour, user_id })]),
  ];
}
