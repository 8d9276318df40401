import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, Matches } from 'class-validator';
import { wrongWindow } from '../domain/window.ts';
import { type MonthsOfSpending, SpendByMonth } from '../projections/spend-by-month.ts';
import type { Spender } from '../projections/spend.ts';
import type { SpendRow } from '../projections/spend/spend-rows.ts';
import { KnownSubjects } from '../workflows/known-subjects.ts';
import { BotCostsAnswer, UserCostsAnswer } from './answers.ts';
import { CostEntries, figures } from './cost-entries.ts';
import { MONTH } from './windows.ts';

class PeriodsQuery {
  /** First month. */
  @IsOptional() @Matches(MONTH, { message: 'must be a month, YYYY-MM' }) start_period?: string;
  /** Last month. */
  @IsOptional() @Matches(MONTH, { message: 'must be a month, YYYY-MM' }) end_period?: string;
}

/** The most months in one answer. */
const MOST_MONTHS = 120;

/** The cost of one user or one bot, month by month. */
@Controller('admin/costs')
@Needs('Admin')
export class CostPeriodsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly entries: CostEntries,
    private readonly known: KnownSubjects,
    private readonly clock: Clock,
  ) {}

  @Get('users/:userId')
  @AuditedRead('view_costs', 'user', 'userId')
  @Summary('Get the cost of a user from one month to another, or in the current month.')
  @Answers(200, UserCostsAnswer)
  @Refuses('invalid_window', 400)
  @Refuses('user_not_found', 404)
  async ofUser(@IdParam('userId') userId: string, @Query() query: PeriodsQuery): Promise<UserCostsAnswer> {
    const { as_of, months } = await this.months('user', userId, query);
    if (months.length === 0) await this.known.requireUser(userId);
    const [entry] = await this.entries.ofUsers([sumOf('user', userId, months)]);
    const periods = months.map((row) => ({ period: row.month, ...figures(row), conversation_count: row.parts }));
    return { as_of, currency: 'USD', ...entry!, conversation_count: months.length > 1 ? null : entry!.conversation_count, periods };
  }

  @Get('bots/:botId')
  @AuditedRead('view_costs', 'bot', 'botId')
  @Summary('Get the cost of a bot from one month to another, or in the current month.')
  @Answers(200, BotCostsAnswer)
  @Refuses('invalid_window', 400)
  @Refuses('bot_not_found', 404)
  async ofBot(@IdParam('botId') botId: string, @Query() query: PeriodsQuery): Promise<BotCostsAnswer> {
    const { as_of, months } = await this.months('bot', botId, query);
    if (months.length === 0) await this.known.requireBot(botId);
    const [entry] = await this.entries.ofBots([sumOf('bot', botId, months)]);
    const periods = months.map((row) => ({ period: row.month, ...figures(row), user_count: row.parts }));
    return { as_of, currency: 'USD', ...entry!, user_count: months.length > 1 ? null : entry!.user_count, periods };
  }

  private months(scope: SpendRow['scope'], id: string, query: PeriodsQuery): Promise<MonthsOfSpending> {
    return this.queries.execute(new SpendByMonth(scope, id, monthsOf(query, this.clock.now())));
  }
}

function sumOf(scope: SpendRow['scope'], id: string, months: readonly Spender[]): Spender {
  const sum = { month: '', scope, id, model: '', nano_dollars: 0, corrections: 0, input_tokens: 0, output_tokens: 0, parts: 0 };
  for (const row of months) {
    for (const field of ['nano_dollars', 'input_tokens', 'output_tokens', 'parts'] as const) sum[field] += row[field];
    sum.corrections += row.corrections ?? 0;
  }
  return { ...sum, by_model: summed(months, 'by_model'), corrected_by_model: summed(months, 'corrected_by_model') };
}

function summed(months: readonly Spender[], field: 'by_model' | 'corrected_by_model'): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const row of months) for (const [model, nano] of Object.entries(row[field])) sums[model] = (sums[model] ?? 0) + nano;
  return sums;
}

/** The months from one to another, or the current month if neither is given. Refuses with `invalid_window`. */
function monthsOf({ start_period: start, end_period: end }: PeriodsQuery, now: Instant): readonly string[] {
  if (start === undefined && end === undefined) return [Instant.toString(now).slice(0, 7)];
  if (start === undefined) throw wrongWindow('start_period', 'is missing; give both start_period and end_period, or neither');
  if (end === undefined) throw wrongWindow('end_period', 'is missing; give both start_period and end_period, or neither');
  if (end < start) throw wrongWindow('end_period', 'is before start_period');
  const [first, last] = [numberOf(start), numberOf(end)];
  if (last - first >= MOST_MONTHS) throw wrongWindow('end_period', `must be less than ${MOST_MONTHS} months after start_period`);
  return Array.from({ length: last - first + 1 }, (_, index) => monthAt(first + index));
}

/** Months since the year 0. */
const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
const monthAt = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
