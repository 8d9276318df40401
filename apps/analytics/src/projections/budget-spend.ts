import {
  type CallCompleted,
  type ChargeCorrected,
  isOfSessions,
  type KnowledgeCharged,
  type MessageSubmitted,
  type ModelChecked,
  type ReplyCompleted,
  type ReplyFailed,
  type TokensCharged,
} from '@parlance/contracts';
import type { Uses, UsesOfBlocks } from '@parlance/limits';
import { add, type Change, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { BudgetSubject } from '../domain/budget.ts';
import { keyIn } from './usage-hours.ts';

/**
 * The spending on a day (UTC) by all, by a user, through a bot, with an API key or a token, of a cost centre, or in a budget. The key begins with
 * the day.
 */
interface DayOfSpending {
  day: string;
  scope: Exclude<BudgetSubject['scope'], 'group'> | 'budget';
  /** '' for all. */
  id: string;
  nano_dollars: number;
}

export const spendingRows = table<DayOfSpending>('budget_spend', { byDay: ['scope', 'id', 'day'] });
/** The uses of the blocks that budgets have lent. Their IDs begin with the day. */
export const blockUseRows = table<Uses>('budget_block_uses');

const NO_USES: Uses = { begun: 0, ended: 0, spent: 0 };

/** A mark on a reply is `<budget>/<block>`. */
const blocksOf = (budgets: readonly string[] | undefined) =>
  (budgets ?? []).map((mark) => mark.split('/') as [budget: string, block: string]);

const used = (block: string, more: Partial<Uses>): Change => add(blockUseRows, block, { ...more }, NO_USES);

export const begun = ({ budgets }: Pick<MessageSubmitted, 'budgets'>): readonly Change[] =>
  blocksOf(budgets).map(([, block]) => used(block, { begun: 1 }));

export const endedFree = ({ budgets }: Pick<ReplyFailed, 'budgets'>): readonly Change[] =>
  blocksOf(budgets).map(([, block]) => used(block, { ended: 1 }));

/** The changes for a charge, of a reply that ended with it or of another call. */
export function spent(
  day: string,
  data: ReplyCompleted | TokensCharged | KnowledgeCharged | ModelChecked | CallCompleted,
  hasEnded: boolean,
): readonly Change[] {
  const { user_id, bot_id, cost_nano_dollars: cost } = data;
  // Nothing is reserved for the knowledge of a bot.
  const blocks = blocksOf('budgets' in data ? data.budgets : undefined);
  // A reply that continues with another model call has a separate reservation for it.
  const next = 'next_budgets' in data ? data.next_budgets : undefined;
  const isOver = hasEnded || next !== undefined;
  const ends = [...blocks.map(([, block]) => used(block, { ...(isOver && { ended: 1 }), spent: cost })), ...begun({ budgets: next })];
  const budgets = blocks.map(([budget]) => budget);
  return [...ends, ...onDay(day, { user_id, bot_id, key: keyIn(data), ...callIn(data), budgets }, cost)];
}

/** The changes for an administrator's correction of a charge, on the day of the charge. Lent blocks do not change. */
export function spendingCorrected(data: ChargeCorrected): readonly Change[] {
  const { hour, user_id, bot_id, api_key_id: key = null, spent_difference_nano_dollars: difference } = data;
  const budgets = blocksOf(data.budgets).map(([budget]) => budget);
  return onDay(hour.slice(0, 10), { user_id, bot_id, key, ...callIn(data), budgets }, difference);
}

/** What a charge has only for a call of a model by a program. */
const callIn = (data: object) => {
  const { token_id: token = null, cost_centre: centre = null } = data as Partial<Pick<CallCompleted, 'token_id' | 'cost_centre'>>;
  return { token: token !== null && isOfSessions(token) ? null : token, centre };
};

interface Payers {
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly key: string | null;
  readonly token: string | null;
  readonly centre: string | null;
  readonly budgets: readonly string[];
}

function onDay(day: string, { user_id, bot_id, key, token, centre, budgets }: Payers, nano_dollars: number): readonly Change[] {
  if (nano_dollars === 0) return [];
  const of = (scope: DayOfSpending['scope'], id: string) =>
    add(spendingRows, `${day}|${scope}|${id}`, { nano_dollars }, { day, scope, id });
  return [
    of('all', ''),
    of('user', user_id),
    ...(bot_id === null ? [] : [of('bot', bot_id)]),
    ...(key === null ? [] : [of('key', key)]),
    ...(token === null ? [] : [of('token', token)]),
    ...(centre === null ? [] : [of('cost_centre', centre)]),
    ...budgets.map((budget) => of('budget', budget)),
  ];
}

export const UsesOf = query('UsesOf', async (models, blocks: readonly string[]): Promise<UsesOfBlocks> => {
  return blocks.length === 0 ? {} : Object.fromEntries(await models.getMany(blockUseRows, blocks));
});

/** The number of days in the longest period. */
const MOST_DAYS = 31;

/** The spending from one day to another. Charges do not name groups, so only the spending of reservations is known for a group's budget. */
export const SpentIn = query(
  'SpentIn',
  async (models, budgetId: string, { scope, scopeId }: BudgetSubject, firstDay: string, lastDay: string): Promise<number> => {
    const where = scope === 'group' ? { scope: 'budget', id: budgetId } : { scope, id: scopeId ?? '' };
    const { rows } = await models.find(spendingRows, { index: 'byDay', where, from: firstDay, to: lastDay, limit: MOST_DAYS });
    return rows.reduce((sum, { nano_dollars }) => sum + nano_dollars, 0);
  },
);
