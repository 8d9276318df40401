import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Caller, SignedIn } from '@parlance/http';
import { endOf } from '@parlance/limits';
import { dollars } from '@parlance/money';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { type Window, windowOfMonth } from '../domain/window.ts';
import { BudgetsOfUser } from '../projections/budgets.ts';
import { type Sums, UsageOfUser } from '../projections/usage-of-user.ts';
import { BudgetLending } from '../workflows/budget-lending.ts';
import { correctedCost } from '../projections/spend.ts';
import { bothOf } from './costs/cost-entries.ts';
import { inDollars, OwnUsageAnswer } from './answers.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;
const LONGEST_WINDOW_SECONDS = 366 * 86_400;

class UsageQuery {
  @IsOptional()
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, { message: 'must be a month, YYYY-MM' })
  period?: string;
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) start_time?: number;
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) end_time?: number;
}

/** A window and its label in the answer. */
interface Named {
  readonly period: string;
  readonly window: Window;
}

/** The signed-in user's own cost. */
@Controller('user/me')
export class OwnUsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly lending: BudgetLending,
    private readonly clock: Clock,
  ) {}

  @Get('usage')
  @SignedIn()
  @Summary('Get your own usage and cost of a month, or from one hour to another. Usage of the last 13 months is kept.')
  @Answers(200, OwnUsageAnswer)
  @Refuses('invalid_window', 400)
  @Refuses('window_too_large', 400)
  async usage(@Caller() { userId }: Caller, @Query() query: UsageQuery): Promise<OwnUsageAnswer> {
    const { period, window } = windowOf(query, this.clock.now());
    const { as_of, total, byModel, byBot, byKey, daily } = await this.queries.execute(new UsageOfUser(userId, window));
    return {
      as_of,
      period,
      currency: 'USD',
      total_cost: dollars(total.nano_dollars),
      ...bothOf(total),
      ...tokensOf(total),
      by_model: inDollars(byModel),
      by_bot: inDollars(byBot),
      by_key: inDollars(byKey),
      daily: [...daily].map(([date, sums]) => ({
        date,
        cost: dollars(sums.nano_dollars),
        as_corrected: dollars(correctedCost(sums)),
        ...tokensOf(sums),
      })),
      budget: await this.budgetOf(userId),
    };
  }

  /** The user's own budget with the least left. Budgets of groups and bots are shared with others, whose cost is not shown. */
  private async budgetOf(userId: string): Promise<OwnUsageAnswer['budget']> {
    const now = this.clock.now();
    const budgets = await this.queries.execute(new BudgetsOfUser(userId));
    const states = await Promise.all(
      budgets.map(async ({ id, blocks, lends: _, ...terms }) => ({ terms, ...(await this.lending.spent(id, terms, blocks, now)) })),
    );
    const [least] = states.toSorted((a, b) => a.terms.limit - a.spent - (b.terms.limit - b.spent));
    if (!least) return null;
    const { terms, spent } = least;
    return { limit: dollars(terms.limit), spent: dollars(spent), resets_at: Instant.toSeconds(endOf(terms.period, now)) };
  }
}

const tokensOf = ({ input_tokens, output_tokens }: Readonly<Sums>) => ({ input_tokens, output_tokens });

function windowOf({ period, start_time, end_time }: UsageQuery, now: Instant): Named {
  if (start_time === undefined && end_time === undefined) return monthOf(period ?? Instant.toString(now).slice(0, 7));
  if (period !== undefined) throw wrongWindow('period', 'must be absent if start_time and end_time are given');
  if (start_time === undefined) throw wrongWindow('start_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time === undefined) throw wrongWindow('end_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time < start_time) throw wrongWindow('end_time', 'is before start_time');
  if (end_time - start_time > LONGEST_WINDOW_SECONDS) throw wrongWindow('end_time', 'must be at most 366 days after start_time');
  const [from, to] = [hourOf(start_time), hourOf(end_time)];
  return { period: `${from}/${to}`, window: { from, to } };
}

const monthOf = (month: string): Named => ({ period: month, window: windowOfMonth(month) });

const hourOf = (seconds: number): string => Instant.toString(Instant.ofSeconds(seconds)).slice(0, 13);

const wrongWindow = (path: string, message: string) =>
  refuse('invalid', 'invalid_window', `The parameter ${path} ${message}.`, { errors: [{ path, message }] });
