import type { MessageSubmitted, ReplyCompleted, ReplyFailed, TokensCharged } from '@parlance/contracts';
import { query } from '@parlance/foundation';
import type { Uses, UsesOfBlocks } from '@parlance/limits';
import { add, type Change, table } from '@parlance/read-models';
import type { BudgetPlace } from '../domain/budget.ts';

/** What was spent on a day (UTC) by all, by a user, through a bot, or in a budget. The key begins with the day. */
interface DayOfSpending {
  day: string;
  scope: 'all' | 'user' | 'bot' | 'budget';
  /** '' for all. */
  id: string;
  nano_dollars: number;
}

export const spendingRows = table<DayOfSpending>('budget_spend', { byDay: ['scope', 'id', 'day'] });
/** The uses of the blocks that budgets have lent. Their IDs begin with the day. */
export const blockUseRows = table<Uses>('budget_block_uses');

const NO_USES: Uses = { begun: 0, ended: 0, spent: 0 };

/** A mark of a reply is `<budget>/<block>`. */
const blocksOf = (budgets: readonly string[] | undefined) =>
  (budgets ?? []).map((mark) => mark.split('/') as [budget: string, block: string]);

const used = (block: string, more: Partial<Uses>): Change => add(blockUseRows, block, { ...more }, NO_USES);

export const begun = ({ budgets }: Pick<MessageSubmitted, 'budgets'>): readonly Change[] =>
  blocksOf(budgets).map(([, block]) => used(block, { begun: 1 }));

export const endedFree = ({ budgets }: Pick<ReplyFailed, 'budgets'>): readonly Change[] =>
  blocksOf(budgets).map(([, block]) => used(block, { ended: 1 }));

/** A charge on a day, of a reply that has ended with it or of another call. */
export function spent(day: string, data: ReplyCompleted | TokensCharged, hasEnded: boolean): readonly Change[] {
  const { user_id, bot_id, budgets, cost_nano_dollars: cost } = data;
  const blocks = blocksOf(budgets);
  const ends = blocks.map(([, block]) => used(block, { ...(hasEnded && { ended: 1 }), spent: cost }));
  if (cost === 0) return ends;
  const of = (scope: DayOfSpending['scope'], id: string) =>
    add(spendingRows, `${day}|${scope}|${id}`, { nano_dollars: cost }, { day, scope, id });
  return [
    ...ends,
    of('all', ''),
    of('user', user_id),
    ...(bot_id === null ? [] : [of('bot', bot_id)]),
    ...blocks.map(([budget]) => of('budget', budget)),
  ];
}

export const UsesOf = query('UsesOf', async (models, blocks: readonly string[]): Promise<UsesOfBlocks> => {
  return blocks.length === 0 ? {} : Object.fromEntries(await models.getMany(blockUseRows, blocks));
});

/** Days of the longest period. */
const MOST_DAYS = 31;

/**
 * What was spent from one day to another. Of groups and API keys, which charges do not name, only what was reserved in the budget is known.
 */
export const SpentIn = query(
  'SpentIn',
  async (models, budgetId: string, { scope, scopeId }: BudgetPlace, firstDay: string, lastDay: string): Promise<number> => {
    const isCharged = scope === 'all' || scope === 'user' || scope === 'bot';
    const where = isCharged ? { scope, id: scopeId ?? '' } : { scope: 'budget', id: budgetId };
    const { rows } = await models.find(spendingRows, { index: 'byDay', where, from: firstDay, to: lastDay, limit: MOST_DAYS });
    return rows.reduce((sum, { nano_dollars }) => sum + nano_dollars, 0);
  },
);
