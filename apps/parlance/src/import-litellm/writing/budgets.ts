import type { MappedBudget } from '../mapping/budget.ts';
import type { Report } from '../report.ts';
import { type AdminApi, Refused } from './admin-api.ts';
import { budgetKey, type Installation } from './installation.ts';

/** Parlance has at most so many budgets. */
const MOST_BUDGETS = 1_000;

export type BudgetScope = 'all' | 'user' | 'token' | 'cost_centre';

/** Makes budgets that do not exist yet. */
export class Budgets {
  constructor(
    private readonly api: AdminApi | null,
    private readonly installation: Installation,
    private readonly report: Report,
  ) {}

  get isFull(): boolean {
    return this.installation.budgets.size >= MOST_BUDGETS;
  }

  has(scope: BudgetScope, scopeId: string | null, { period }: MappedBudget): boolean {
    return this.installation.budgets.has(budgetKey(scope, scopeId, period));
  }

  /** False if Parlance refuses, which is reported by the caller. `name`: of what is limited, for the report. */
  async make(scope: BudgetScope, scopeId: string | null, budget: MappedBudget, name: string): Promise<boolean> {
    const { period, limit, mode, note } = budget;
    const key = budgetKey(scope, scopeId, period);
    let id = '';
    try {
      if (this.api)
        id = String(
          (await this.api.putNew('/admin/budgets', { scope, ...(scopeId !== null && { scope_id: scopeId }), period, limit, mode }))['id'],
        );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code !== 'budget_exists') return false;
    }
    this.installation.budgets.set(key, id);
    this.report.row(this.api ? 'made' : 'make', 'budget', name, describedBudget(budget));
    if (note !== null) this.report.change('budget', name, 'terms', note);
    return true;
  }

  /** Removes the budgets of a token that is revoked. */
  async removeOfToken(tokenId: string): Promise<void> {
    for (const period of ['DAY', 'WEEK', 'MONTH']) {
      const key = budgetKey('token', tokenId, period);
      const id = this.installation.budgets.get(key);
      if (id === undefined) continue;
      await this.api?.delete(`/admin/budgets/${id}`);
      this.installation.budgets.delete(key);
    }
  }
}

export const describedBudget = ({ period, limit, mode }: MappedBudget): string => `${mode}, ${limit} dollars in a ${period.toLowerCase()}`;
