import type { BudgetRemoved, BudgetSet, CallBudgetSet } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, type Cursor, foreignProjection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';

/** The limits of a budget. Only analytics knows how much of it is left. */
export interface KnownBudget {
  readonly id: string;
  readonly scope: BudgetSet['scope'] | CallBudgetSet['scope'];
  readonly scope_id: string | null;
  readonly mode: BudgetSet['mode'];
}

const knownBudgetRows = table<KnownBudget>('known_budgets');

type Received =
  | CloudEvent<BudgetSet, 'parlance.analytics.budget-set.v1'>
  | CloudEvent<CallBudgetSet, 'parlance.analytics.budget-set.v2'>
  | CloudEvent<BudgetRemoved, 'parlance.analytics.budget-removed.v1'>;

export const knownBudgets = foreignProjection<Received>({
  name: 'known-budgets',
  version: 2,
  // Not awaited, because analytics itself waits for the events of this service.
  isAwaited: false,
  tables: [knownBudgetRows],
  on: {
    'parlance.analytics.budget-set.v1': known,
    'parlance.analytics.budget-set.v2': known,
    'parlance.analytics.budget-removed.v1': ({ data }) => [remove(knownBudgetRows, data.budget_id)],
  },
});

function known({ data: { budget_id: id, scope, scope_id, mode } }: { readonly data: BudgetSet | CallBudgetSet }): readonly Change[] {
  return [put(knownBudgetRows, id, { id, scope, scope_id, mode })];
}

const PAGE = 1_000;

/** All budgets. Analytics allows at most a thousand. */
export const KnownBudgets = query('KnownBudgets', async (models): Promise<readonly KnownBudget[]> => {
  const all: KnownBudget[] = [];
  let after: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof models.find<KnownBudget>>> = await models.find(knownBudgetRows, {
      index: 'key',
      limit: PAGE,
      ...(after && { after }),
    });
    all.push(...page.rows);
    after = page.next;
  } while (after);
  return all;
});
