import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, LargeAnswer, Limit, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { KnownSubjects } from '../../adapters/known-subjects.ts';
import { QueriesToBot } from '../../projections/bot-queries.ts';
import { CONVERSATIONS_AT_ONCE, RecentQuestions } from '../../projections/recent-questions.ts';
import { MOST_COUNTED, QueryCounts } from '../../workflows/query-counts.ts';
import { PopularQueriesAnswer } from './admin-answers.ts';

const DAY_MILLIS = 86_400_000;
/** The most pages of conversations that are searched for questions. */
const MOST_PAGES = 20;
const MOST_CONVERSATIONS = MOST_PAGES * CONVERSATIONS_AT_ONCE;

class PopularQuery {
  @Limit(100) limit: number = 10;
  @IsOptional() @IsInt() @Min(1) @Max(366) days: number = 30;
}

class AllPopularQuery extends PopularQuery {
  /** Only questions in chats without a bot. */
  @IsOptional() @IsBoolean() without_bot: boolean = false;
}

interface Page {
  readonly texts: readonly string[];
  readonly next: Cursor | null;
}

/**
 * The most frequent questions to a bot, or of all users. Counted on each request, because messages are sealed: a stored count of a text would
 * outlive an erased message.
 */
@Controller('admin')
@Needs('Admin')
export class PopularQueriesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly counts: QueryCounts,
    private readonly known: KnownSubjects,
    private readonly clock: Clock,
  ) {}

  @Get('popular-queries')
  @LargeAnswer()
  @AuditedRead('view_all_queries', 'users')
  @Summary(
    `List the questions that users asked most often in the most recent days, with all bots and without one. Nearly identical questions count as one. Only the newest messages in the ${MOST_CONVERSATIONS} most recently used conversations count, up to ${MOST_COUNTED}. Temporary conversations are left out.`,
  )
  @Answers(200, PopularQueriesAnswer)
  @Refuses('busy', 503)
  async ofAll(@Query() { limit, days, without_bot }: AllPopularQuery): Promise<PopularQueriesAnswer> {
    const since = this.since(days);
    const read = (after: Cursor | null) => this.queries.execute(new RecentQuestions(without_bot, since, after));
    return (await this.counts.top(pagesOf(read, MOST_PAGES), limit)) ?? [];
  }

  @Get('bots/:botId/popular-queries')
  @AuditedRead('view_popular_queries', 'bot', 'botId')
  @Summary(
    `List the questions that users asked a bot most often in the most recent days. Nearly identical questions count as one. Only the newest ${MOST_COUNTED} messages count.`,
  )
  @Answers(200, PopularQueriesAnswer)
  @Refuses('bot_not_found', 404)
  async list(@IdParam('botId') botId: string, @Query() { limit, days }: PopularQuery): Promise<PopularQueriesAnswer> {
    const since = this.since(days);
    const read = (after: Cursor | null) => this.queries.execute(new QueriesToBot(botId, since, after));
    const top = await this.counts.top(pagesOf(read), limit);
    if (top === null) await this.known.requireBot(botId);
    return top ?? [];
  }

  private since(days: number): Instant {
    return Instant.plus(this.clock.now(), -days * DAY_MILLIS);
  }
}

async function* pagesOf(read: (after: Cursor | null) => Promise<Page>, most = Infinity): AsyncGenerator<readonly string[]> {
  let after: Cursor | null = null;
  for (let pages = 0; pages < most; pages++) {
    const { texts, next }: Page = await read(after);
    yield texts;
    if (next === null) return;
    after = next;
  }
}
