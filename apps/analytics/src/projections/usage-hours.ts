import type { CallCompleted, KnowledgeCharged, ModelChecked, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import { add, type Change, table } from '@parlance/read-models';
import type { Amounts } from './spend/spend-rows.ts';

/** The charges of a user in an hour (UTC) on one model, through one bot, with one API key. The row's key begins with the hour. */
export interface UsageHour {
  user_id: string;
  /** As 2026-11-21T09. */
  hour: string;
  /** Null without a bot. */
  bot_id: string | null;
  model: string;
  /** An API key of a published bot; absent if the user sent the message. */
  api_key_id?: string;
  /** As billed. */
  nano_dollars: number;
  /** The amount that restatements added to the cost as corrected. Absent without restatements. */
  corrections?: number;
  input_tokens: number;
  output_tokens: number;
}

export const usageHourRows = table<UsageHour>('usage_hours', { byHour: ['user_id', 'hour'] });

/** The API key of the program that sent the message; null if a user sent it. */
export const keyIn = (data: ReplyCompleted | TokensCharged | KnowledgeCharged | ModelChecked | CallCompleted): string | null =>
  ('api_key_id' in data ? data.api_key_id : undefined) ?? null;

/** The payer of a use, and its bot, model and API key. */
export interface PaidUse {
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly model: string;
  readonly api_key_id?: string | undefined;
}

/** The amounts of a charge. */
export const amountsOf = ({ usage, cost_nano_dollars }: Pick<TokensCharged, 'usage' | 'cost_nano_dollars'>): Amounts => ({
  nano_dollars: cost_nano_dollars,
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
});

/** Adds to the row of an hour. */
export function inHour(hour: string, { user_id, bot_id, model, api_key_id: key }: PaidUse, amounts: Amounts): Change {
  const row = { user_id, hour, bot_id, model, ...(key !== undefined && { api_key_id: key }) };
  return add(usageHourRows, `${hour}|${user_id}|${bot_id ?? ''}|${model}${key === undefined ? '' : `|${key}`}`, { ...amounts }, row);
}
