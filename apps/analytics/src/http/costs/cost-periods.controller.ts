import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type MonthsOfSpending, SpendByMonth } from '../../projections/spend-by-month.ts';
import type { SpendRow } from '../../projections/spend/spend-rows.ts';
import { KnownSubjects } from '../../workflows/known-subjects.ts';
import { BotCostsAnswer, UserCostsAnswer } from '../answers.ts';
import { CostEntries, figures } from './cost-entries.ts';
import { monthsOf, PeriodsQuery, sumOf } from './cost-months.ts';

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
