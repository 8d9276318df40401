import { Projector, ReadModels } from '@parlance/read-models';
import { queryWith } from '../bus.ts';
import type { AsOf } from './as-of.ts';
import { costByModel, newestOfSpend, type Spender } from './spend.ts';
import { type SpendRow, spendKey, spendRows } from './spend/spend-rows.ts';

export interface MonthsOfSpending {
  readonly as_of: AsOf | null;
  /** Months with usage, in order. */
  readonly months: readonly Spender[];
}

/** The spending of one user, or through one bot, in each of these months. */
export const SpendByMonth = queryWith(
  'SpendByMonth',
  [ReadModels, Projector],
  async ([models, projector], scope: SpendRow['scope'], id: string, months: readonly string[]): Promise<MonthsOfSpending> => {
    const as_of = await newestOfSpend(models, projector);
    const rows = await models.getMany(
      spendRows,
      months.map((month) => spendKey(month, scope, id, '')),
    );
    const found: Spender[] = [];
    for (const row of [...rows.values()].toSorted((a, b) => (a.month < b.month ? -1 : 1)))
      found.push({ ...row, ...(await costByModel(models, row)), parts: row.parts ?? 0 });
    return { as_of, months: found };
  },
);
