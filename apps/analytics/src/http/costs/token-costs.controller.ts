import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, Needs } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { z } from 'zod';
import { AsOf } from '../../projections/as-of.ts';
import { BudgetsOf } from '../../projections/budgets.ts';
import { SpendByMonth } from '../../projections/spend-by-month.ts';
import { SubjectNames } from '../../workflows/subject-names.ts';
import { BudgetAnswer, BudgetAnswers } from '../budget-answers.ts';
import { figures as figuresOf } from './cost-entries.ts';
import { monthsOf, PeriodsQuery, sumOf } from './cost-months.ts';
import { figures } from '../figure-fields.ts';
import { TokenCost } from './split-answers.ts';
import { SplitEntries } from './split-entries.ts';

const Limit = z.object({ limit: z.int(), used: z.int().nullable().describe('Null while it cannot be read.') }).nullable();

const TokenCosts = TokenCost.extend({
  as_of: AsOf.nullable().describe('Newest event included in the answer; null before the first event.'),
  currency: z.literal('USD'),
  periods: z.array(z.object({ period: z.string().describe('YYYY-MM'), ...figures })).describe('Months with usage.'),
  budgets: z.array(BudgetAnswer).describe('The budgets of the token and of its cost centre.'),
  limits: z
    .object({
      requests_per_minute: Limit.describe('With what is used in this minute. Null: not limited.'),
      tokens_per_minute: Limit.describe('With what is used or reserved in this minute. Null: not limited.'),
      max_parallel_requests: Limit.describe('With the calls in progress. Null: not limited.'),
    })
    .nullable()
    .describe('The limits of the token and what is used of them. Null for a revoked token, and while identity is unavailable.'),
});
type TokenCosts = z.infer<typeof TokenCosts>;
nameSchemas({ TokenCosts });

interface Used {
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
}

/** The cost of the calls with one token, and what is used of its budgets and limits. */
@Controller('admin/costs')
@Needs('Admin')
export class TokenCostsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly entries: SplitEntries,
    private readonly names: SubjectNames,
    private readonly budgets: BudgetAnswers,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  @Get('tokens/:tokenId')
  @AuditedRead('view_costs', 'token', 'tokenId')
  @Summary('Get the cost of the calls of models with a token, month by month, and what is used of its budgets and limits.')
  @Answers(200, TokenCosts)
  @Refuses('invalid_window', 400)
  @Refuses('token_not_found', 404)
  async ofToken(@IdParam('tokenId') tokenId: string, @Query() query: PeriodsQuery): Promise<TokenCosts> {
    const { as_of, months } = await this.queries.execute(new SpendByMonth('token', tokenId, monthsOf(query, this.clock.now())));
    const described = (await this.names.ofTokens([tokenId])).get(tokenId);
    if (months.length === 0 && !described) throw refuse('missing', 'token_not_found', 'There is no such token, or it was revoked.');
    const [entry] = await this.entries.ofTokens([sumOf('token', tokenId, months)]);
    const terms = described?.call_terms ?? null;
    const subjects = [{ scope: 'token', id: tokenId } as const];
    const centre = terms?.cost_centre ?? null;
    const budgets = await this.queries.execute(
      new BudgetsOf(centre === null ? subjects : [...subjects, { scope: 'cost_centre', id: centre }]),
    );
    const used = terms && (await this.used(tokenId));
    const limitOf = (limit: number | null, amount: number | undefined) => (limit === null ? null : { limit, used: amount ?? null });
    return {
      as_of,
      currency: 'USD',
      ...entry!,
      periods: months.map((row) => ({ period: row.month, ...figuresOf(row) })),
      budgets: await this.budgets.of(budgets),
      limits: terms && {
        requests_per_minute: limitOf(terms.requests_per_minute, used?.requests),
        tokens_per_minute: limitOf(terms.tokens_per_minute, used?.tokens),
        max_parallel_requests: limitOf(terms.max_parallel_requests, used?.parallel),
      },
    };
  }

  /** Null while inference is unavailable or older. */
  private async used(tokenId: string): Promise<Used | null> {
    try {
      return await this.calls.get<Used>('inference', `/internal/calls/limits/${encodeURIComponent(tokenId)}`, HARMLESS);
    } catch (error) {
      if (error instanceof Refusal && (error.kind === 'unavailable' || error.code === 'no_such_route')) return null;
      throw error;
    }
  }
}
