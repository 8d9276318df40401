import type { KnowledgeCharged, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import { add, type Change, put, table } from '@parlance/read-models';
import { keyIn } from './usage-hours.ts';

type Charge = ReplyCompleted | TokensCharged | KnowledgeCharged;

/** What was charged on a day (UTC) to all, to a user, through a bot or with an API key, on one model. The key begins with the day. */
export interface UsageDay {
  day: string;
  scope: 'all' | 'user' | 'bot' | 'key';
  /** '' for all, and for conversations without a bot: so the sums over bots are the sums over all. */
  id: string;
  model: string;
  nano_dollars: number;
  input_tokens: number;
  output_tokens: number;
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

/** Removed with the hours of usage, after 13 months. */
export function usedOnDay(time: string, data: Charge): readonly Change[] {
  const { user_id, bot_id, model, usage, cost_nano_dollars } = data;
  const [day, hour] = [time.slice(0, 10), time.slice(0, 13)];
  const amounts = { nano_dollars: cost_nano_dollars, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens };
  const of = (scope: UsageDay['scope'], id: string) =>
    add(usageDayRows, `${day}|${scope}|${id}|${model}`, amounts, { day, scope, id, model });
  const key = keyIn(data);
  const sums = [of('all', ''), of('user', user_id), of('bot', bot_id ?? ''), ...(key === null ? [] : [of('key', key)])];
  if (!('conversation_id' in data)) return sums;
  const { conversation_id } = data;
  return [
    ...sums,
    put(conversationHourRows, `${hour}|${user_id}|${conversation_id}`, { user_id, hour, conversation_id }),
    ...(bot_id === null ? [] : [put(botUserHourRows, `${hour}|${bot_id}|${user_id}`, { bot_id, hour, user_id })]),
  ];
}
