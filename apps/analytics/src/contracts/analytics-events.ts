import { BudgetReached, BudgetRemoved, BudgetSet, ExportWritten } from '@parlance/contracts';
import { publishing, say } from '@parlance/foundation';
import type { BudgetEvent, BudgetTerms } from '../domain/budget.ts';
import type { ExportEvent } from '../domain/export.ts';

const termsOf = (budgetId: string, { scope, scopeId, period, mode, limit }: BudgetTerms) => ({
  budget_id: budgetId,
  scope,
  scope_id: scopeId,
  period,
  mode,
  limit_nano_dollars: limit,
});

export const publishAnalytics = publishing<BudgetEvent | ExportEvent>('analytics', {
  BudgetSet: (event, id) => say(BudgetSet, termsOf(id, event)),
  BudgetRemoved: (_, id) => say(BudgetRemoved, { budget_id: id }),
  BudgetReached: (event, id) =>
    say(BudgetReached, { ...termsOf(id, event), period_start: event.firstDay, spent_nano_dollars: event.spent }),
  ExportWritten: ({ key, rows, bytes }, period) => say(ExportWritten, { period, key, rows, bytes }),
});
