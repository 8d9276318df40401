import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { etagOf } from '@parlance/http';
import { endOf, lentOf, PERIODS } from '@parlance/limits';
import { dollars } from '@parlance/money';
import { z } from 'zod';
import { type Budget, type BudgetTerms, type ChangingTerms, MODES, SCOPES } from '../domain/budget.ts';
import type { BudgetRow } from '../projections/budgets.ts';
import { BudgetLending } from '../workflows/budget-lending.ts';

const money = z.number().describe('US dollars, with at most 9 decimals.');
export const BudgetAnswer = z.object({
  id: z.string(),
  scope: z.enum(SCOPES).describe('What the budget limits.'),
  scope_id: z.string().nullable().describe('ID of the user, bot, API key or token, or name of the group or cost centre; null for `all`.'),
  period: z.enum(PERIODS).describe('In UTC. A week starts on Monday.'),
  limit: money,
  mode: z.enum(MODES).describe('`soft` warns when the budget is reached, `hard` refuses messages.'),
  spent: money.describe('Spent in the current period, in US dollars.'),
  reserved: money.describe('Reserved for replies in progress and for future messages, in US dollars.'),
  resets_at: z.int().describe('Start of the next period in epoch seconds.'),
  etag: z.string().describe('For `If-Match`. It changes with the limit and the mode.'),
});
export type BudgetAnswer = z.infer<typeof BudgetAnswer>;

/** Budgets with what is spent in their current periods. */
@Injectable()
export class BudgetAnswers {
  constructor(
    private readonly lending: BudgetLending,
    private readonly clock: Clock,
  ) {}

  async of(budgets: readonly BudgetRow[]): Promise<BudgetAnswer[]> {
    const answers: BudgetAnswer[] = [];
    for (const { id, blocks, lends: _, ...terms } of budgets) answers.push(await this.one(id, terms, blocks));
    return answers;
  }

  async one(id: string, terms: BudgetTerms, blocks: Budget['blocks']): Promise<BudgetAnswer> {
    const now = this.clock.now();
    const { spent, known } = await this.lending.spent(id, terms, blocks, now);
    const { scope, scopeId, period, limit, mode } = terms;
    return {
      id,
      scope,
      scope_id: scopeId,
      period,
      limit: dollars(limit),
      mode,
      spent: dollars(spent),
      reserved: dollars(lentOf(blocks, known)),
      resets_at: Instant.toSeconds(endOf(period, now)),
      etag: tagOf(terms),
    };
  }
}

/** The ETag of a budget, made of the two fields that can change. Spending does not change it. */
export const digitsOf = ({ limit, mode }: ChangingTerms): `${number}` => `${limit}${MODES.indexOf(mode)}` as `${number}`;
export const tagOf = (terms: ChangingTerms): string => etagOf(digitsOf(terms));
