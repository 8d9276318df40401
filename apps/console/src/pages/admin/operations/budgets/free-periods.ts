import type { Budget } from '@parlance/client/types';

type Period = Budget['period'];

const PERIODS: readonly Period[] = ['DAY', 'WEEK', 'MONTH'];

/** The periods without a budget. A new budget would replace one with the same scope and period. */
export function freePeriods(budgets: readonly Budget[], scope: Budget['scope'], scopeId: string | null): readonly Period[] {
  const taken = budgets.filter((its) => its.scope === scope && its.scope_id === scopeId).map(({ period }) => period);
  return PERIODS.filter((period) => !taken.includes(period));
}

/** The periods that have a budget. */
export const takenPeriods = (free: readonly Period[]): readonly Period[] => PERIODS.filter((period) => !free.includes(period));
