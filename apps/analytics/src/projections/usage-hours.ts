import type { KnowledgeCharged, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import { add, type Change, table } from '@parlance/read-models';

/** What a user was charged in an hour (UTC) on one model, through one bot, with one API key. The key of the row begins with the hour. */
export interface UsageHour {
  user_id: string;
  /** As 2026-11-21T09. */
  hour: string;
  /** Null without a bot. */
  bot_id: string | null;
  model: string;
  /** Of a published bot; absent where the user has asked. */
  api_key_id?: string;
  nano_dollars: number;
  input_tokens: number;
  output_tokens: number;
}

export const usageHourRows = table<UsageHour>('usage_hours', { byHour: ['user_id', 'hour'] });

/** Rows of earlier months are removed. */
export const MONTHS_KEPT = 13;

/** The first month of which rows are kept, as YYYY-MM. */
export function firstMonthKept(time: string): string {
  return new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)) - 1 - MONTHS_KEPT)).toISOString().slice(0, 7);
}

/** The API key with which a program has asked; null where a user has. */
export const keyIn = (data: ReplyCompleted | TokensCharged | KnowledgeCharged): string | null =>
  ('api_key_id' in data ? data.api_key_id : undefined) ?? null;

export function usedInHour(time: string, data: ReplyCompleted | TokensCharged | KnowledgeCharged): Change {
  const { user_id, bot_id, model, usage, cost_nano_dollars } = data;
  const hour = time.slice(0, 13);
  const amounts = { nano_dollars: cost_nano_dollars, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens };
  const apiKeyId = keyIn(data);
  const row = { user_id, hour, bot_id, model, ...(apiKeyId !== null && { api_key_id: apiKeyId }) };
  return add(usageHourRows, `${hour}|${user_id}|${bot_id ?? ''}|${model}${apiKeyId === null ? '' : `|${apiKeyId}`}`, amounts, row);
}
