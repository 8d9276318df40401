import { add, type Change, table } from '@parlance/read-models';

/**
 * The spending in a month by one user, through one bot, with one API key, with all API keys, with one token, of one cost centre, with one tag, or
 * by all, on one model or on all models (model '').
 */
export interface SpendRow {
  month: string;
  scope: 'all' | 'user' | 'bot' | 'key' | 'keys' | 'token' | 'cost_centre' | 'tag';
  /** The ID of the user, the bot, the API key or the token, or the escaped name of the cost centre or tag; '' for all, and for all keys. */
  id: string;
  model: string;
  /** Set for a token: its user, who stays known with the sums of months after the token is revoked. */
  user_id?: string;
  /** As billed. */
  nano_dollars: number;
  /** The same value, only in the row of all models, so that a charge only changes the order of these rows. */
  ranked?: number;
  /** The amount that restatements added to the cost as corrected. Absent without restatements. */
  corrections?: number;
  input_tokens: number;
  output_tokens: number;
  /** Conversations of the user or users of the bot. Counted only in the row of all models. */
  parts?: number;
}

export const spendRows = table<SpendRow>('spend', {
  byRank: ['month', 'scope', 'ranked'],
  byModel: ['month', 'scope', 'id', 'model'],
});

export const spendKey = (month: string, scope: SpendRow['scope'], id: string, model: string) => `${month}|${scope}|${id}|${model}`;

/** Amounts of a charge, or of its correction. */
export interface Amounts {
  readonly nano_dollars: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly corrections?: number;
}

export const correctionOf = (corrections: number): Amounts => ({ nano_dollars: 0, input_tokens: 0, output_tokens: 0, corrections });

/** Adds to two rows of a month: all models, and one model. */
export function spentInMonth(
  { month, scope, id, user_id }: Pick<SpendRow, 'month' | 'scope' | 'id' | 'user_id'>,
  model: string,
  amounts: Amounts,
): readonly Change[] {
  const place = { month, scope, id, ...(user_id !== undefined && { user_id }) };
  return [
    add(spendRows, spendKey(month, scope, id, ''), { ...amounts, ranked: amounts.nano_dollars }, { ...place, model: '' }),
    add(spendRows, spendKey(month, scope, id, model), { ...amounts }, { ...place, model }),
  ];
}

/** The rows of all models of one scope, ordered by cost. */
export const rankedIn = (month: string, scope: SpendRow['scope']) => ({ index: 'byRank', where: { month, scope }, from: 0 }) as const;
