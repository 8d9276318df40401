import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { AuditedRead, IdParam, Limit, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { KnownSubjects } from '../../adapters/known-subjects.ts';
import { PopularQueries } from '../../domain/popular-queries.ts';
import { QueriesToBot } from '../../projections/bot-queries.ts';
import { PopularQueriesAnswer } from './admin-answers.ts';

const DAY_MILLIS = 86_400_000;
/** The newest messages are counted, up to this number. */
export const MOST_COUNTED = 2_000;

class PopularQuery {
  @Limit(100) limit: number = 10;
  @IsOptional() @IsInt() @Min(1) @Max(366) days: number = 30;
}

/**
 * The most frequent questions to a bot. Counted on each request, because messages are sealed: a stored count of a text would outlive an erased
 * message.
 */
@Controller('admin/bots/:botId/popular-queries')
export class PopularQueriesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly known: KnownSubjects,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Needs('Admin')
  @AuditedRead('view_popular_queries', 'bot', 'botId')
  @Summary(
    `List the questions that users asked a bot most often in the most recent days. Nearly identical questions count as one. Only the newest ${MOST_COUNTED} messages count.`,
  )
  @Answers(200, PopularQueriesAnswer)
  @Refuses('bot_not_found', 404)
  async list(@IdParam('botId') botId: string, @Query() { limit, days }: PopularQuery): Promise<PopularQueriesAnswer> {
    const since = Instant.plus(this.clock.now(), -days * DAY_MILLIS);
    const popular = new PopularQueries();
    let counted = 0;
    for (let after: Cursor | null = null; counted < MOST_COUNTED;) {
      const page: { readonly texts: readonly string[]; readonly next: Cursor | null } = await this.queries.execute(
        new QueriesToBot(botId, since, after),
      );
      for (const text of page.texts) {
        if (isTurnOver()) await nextTurn();
        // Null if it was erased in the meantime.
        popular.add((await this.vault.open(text as Sealed)) ?? '');
      }
      counted += page.texts.length;
      if (page.next === null) break;
      after = page.next;
    }
    if (counted === 0) await this.known.requireBot(botId);
    const turns = popular.top(limit);
    for (let turn = turns.next(); ; turn = turns.next()) {
      if (turn.done) return [...turn.value];
      if (isTurnOver()) await nextTurn();
    }
  }
}
