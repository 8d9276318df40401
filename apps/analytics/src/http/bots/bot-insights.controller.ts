import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, Needs } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { dayAfter } from '../../domain/window.ts';
import { type BotRating, QueriesOfBot, RatingsOfBot, shareOf } from '../../projections/bot-usage.ts';
import { NewestOfSpend } from '../../projections/spend.ts';
import { UsageOfOne } from '../../projections/in-window/usage-in-window.ts';
import { countOf, UsersOfBot } from '../../projections/in-window/users-of-bot.ts';
import { KnownSubjects } from '../../workflows/known-subjects.ts';
import { bothOf } from '../costs/cost-entries.ts';
import { BotAnalyticsAnswer, SatisfactionAnswer } from '../admin-answers.ts';
import { DATE, windowOfDays } from '../windows.ts';

class DaysQuery {
  /** Defaults to 30 if no dates are given. */
  @IsOptional() @IsInt() @Min(1) @Max(366) days?: number;
}

class DatesQuery extends DaysQuery {
  @IsOptional() @Matches(DATE, { message: 'must be a date, YYYY-MM-DD' }) start_date?: string;
  @IsOptional() @Matches(DATE, { message: 'must be a date, YYYY-MM-DD' }) end_date?: string;
}

/** The most comments in one answer. */
const MOST_COMMENTS = 100;

/** How a bot is used. Deleted bots keep their figures. */
@Controller('admin/bots/:botId')
@Needs('Admin')
export class BotInsightsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly known: KnownSubjects,
    private readonly clock: Clock,
  ) {}

  @Get('analytics')
  @AuditedRead('view_bot_analytics', 'bot', 'botId')
  @Summary(
    'Get the queries, users, cost and satisfaction of a bot, in total and by day (UTC), for the most recent days or between two dates.',
  )
  @Answers(200, BotAnalyticsAnswer)
  @Refuses('invalid_window', 400)
  @Refuses('window_too_large', 400)
  @Refuses('bot_not_found', 404)
  async analytics(@IdParam('botId') botId: string, @Query() query: DatesQuery): Promise<BotAnalyticsAnswer> {
    const window = windowOfDays(query, this.clock.now());
    const [first, last] = [window.from.slice(0, 10), window.to.slice(0, 10)];
    const as_of = await this.queries.execute(new NewestOfSpend());
    const queries = await this.queries.execute(new QueriesOfBot(botId, first, last));
    if (queries.size === 0) await this.known.requireBot(botId);
    const users = await this.queries.execute(new UsersOfBot(botId, window));
    const cost = await this.queries.execute(new UsageOfOne('bot', botId, window));
    const ratings = await this.queries.execute(new RatingsOfBot(botId, first, last, 0));
    const daily: BotAnalyticsAnswer['daily'] = [];
    for (let date = first; date <= last; date = dayAfter(date, 1))
      daily.push({
        date,
        query_count: queries.get(date)?.queries ?? 0,
        unique_users: users.get(date)?.length ?? 0,
        cost: dollars(cost.daily.get(date)?.nano_dollars ?? 0),
        as_corrected: bothOf(cost.daily.get(date) ?? { nano_dollars: 0 }).as_corrected,
        satisfaction: shareOf(ratings.daily.get(date) ?? { up: 0, down: 0 }),
      });
    return {
      as_of,
      bot_id: botId,
      currency: 'USD',
      total_queries: daily.reduce((sum, { query_count }) => sum + query_count, 0),
      unique_users: await countOf(users),
      average_satisfaction: shareOf(ratings.total),
      total_cost: dollars(cost.total.nano_dollars),
      ...bothOf(cost.total),
      daily,
    };
  }

  @Get('satisfaction')
  @AuditedRead('view_satisfaction', 'bot', 'botId')
  @Summary("Get the ratings of a bot's replies, and the newest comments.")
  @Answers(200, SatisfactionAnswer)
  @Refuses('window_too_large', 400)
  @Refuses('bot_not_found', 404)
  async satisfaction(@IdParam('botId') botId: string, @Query() query: DaysQuery): Promise<SatisfactionAnswer> {
    const window = windowOfDays(query, this.clock.now());
    const [first, last] = [window.from.slice(0, 10), window.to.slice(0, 10)];
    const as_of = await this.queries.execute(new NewestOfSpend());
    const ratings = await this.queries.execute(new RatingsOfBot(botId, first, last, MOST_COMMENTS));
    const days = await this.queries.execute(new QueriesOfBot(botId, first, last));
    if (days.size === 0) await this.known.requireBot(botId);
    const replies = [...days.values()].reduce((sum, day) => sum + day.replies, 0);
    const { up, down } = ratings.total;
    return {
      as_of,
      bot_id: botId,
      average: shareOf(ratings.total),
      thumbs_up: up,
      thumbs_down: down,
      rated_share: replies === 0 ? null : Math.min(1, (up + down) / replies),
      by_category: Object.fromEntries(ratings.byCategory),
      comments: await this.comments(ratings.commented),
      daily: [...ratings.daily]
        .toReversed()
        .map(([date, thumbs]) => ({ date, thumbs_up: thumbs.up, thumbs_down: thumbs.down, satisfaction: shareOf(thumbs) })),
    };
  }

  /** Fetches the comments from inference, which keeps them because they are erased with their conversations. */
  private async comments(ratings: readonly BotRating[]): Promise<SatisfactionAnswer['comments']> {
    if (ratings.length === 0) return [];
    const replies = ratings.map(({ conversation_id, reply_id }) => `${conversation_id}/${reply_id}`);
    const path = '/internal/feedback/comments';
    const { comments } = await this.calls.post<{ comments: Readonly<Record<string, string>> }>('inference', path, { replies }, HARMLESS);
    return ratings.flatMap(({ reply_id, category, time }, index) => {
      const comment = comments[replies[index]!];
      const create_time = Math.floor(Date.parse(time) / 1_000);
      return comment === undefined ? [] : [{ message_id: reply_id, comment, category, create_time }];
    });
  }
}
