import { idInStream } from '@parlance/event-store';
import { type At, type Change, type Cursor, projection, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import { type Budget, budget as rules, type BudgetEvent, type BudgetTerms } from '../domain/budget.ts';

/** A budget with its lent blocks. A removed budget has no row. */
export interface BudgetRow extends BudgetTerms {
  readonly id: string;
  readonly blocks: Budget['blocks'];
  /** Whether blocks are lent. */
  readonly lends: boolean;
}

export const budgetRows = table<BudgetRow>('budgets', { lends: ['lends'], byPlace: ['scope', 'scopeId'] });

/** The most budgets. They are limited because all services keep them in memory. */
export const MOST_BUDGETS = 1_000;

export const budgets = projection<BudgetEvent>({
  name: 'budgets',
  version: 2,
  tables: [budgetRows],
  on: {
    BudgetSet: folded,
    BudgetRemoved: folded,
    BlockLent: folded,
    BlockClosed: folded,
    BlockSettled: folded,
  },
});

function folded(event: BudgetEvent, { stream }: At): readonly Change[] {
  const id = idInStream(stream);
  return [
    update(budgetRows, id, (row) => {
      const { terms, blocks } = rules.evolve(
        row ? { ...rules.initialState, terms: termsOf(row), blocks: row.blocks } : rules.initialState,
        event,
      );
      return terms && { id, ...terms, blocks, lends: Object.keys(blocks).length > 0 };
    }),
  ];
}

const termsOf = ({ scope, scopeId, period, limit, mode }: BudgetTerms): BudgetTerms => ({ scope, scopeId, period, limit, mode });

export const BudgetList = query('BudgetList', async (models, limit: number, after?: Cursor) => {
  const { rows, next } = await models.find(budgetRows, { index: 'key', limit, ...(after && { after }) });
  return { budgets: rows, next };
});

/** Which of these budgets are not removed. */
export const ExistingBudgets = query('ExistingBudgets', async (models, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  return new Set((await models.getMany(budgetRows, ids)).keys());
});

/** The number of budgets, counted only up to the limit. */
export const CountBudgets = query('CountBudgets', async (models): Promise<number> => {
  return (await models.find(budgetRows, { index: 'key', limit: MOST_BUDGETS })).rows.length;
});

/** Budgets with lent blocks. */
export const LendingBudgets = query('LendingBudgets', async (models): Promise<readonly BudgetRow[]> => {
  return (await models.find(budgetRows, { index: 'lends', where: { lends: true }, limit: MOST_BUDGETS })).rows;
});

/** The most budgets of one subject. More are ignored, because one for each period is usual. */
const MOST_OF_ONE = 20;

export const BudgetsOfUser = query('BudgetsOfUser', async (models, userId: string): Promise<readonly BudgetRow[]> => {
  return (await models.find(budgetRows, { index: 'byPlace', where: { scope: 'user', scopeId: userId }, limit: MOST_OF_ONE })).rows;
});

export const BudgetsOf = query(
  'BudgetsOf',
  async (models, subjects: readonly { readonly scope: BudgetTerms['scope']; readonly id: string }[]): Promise<readonly BudgetRow[]> => {
    const found: BudgetRow[] = [];
    for (const { scope, id } of subjects)
      found.push(...(await models.find(budgetRows, { index: 'byPlace', where: { scope, scopeId: id }, limit: MOST_OF_ONE })).rows);
    return found;
  },
);
