import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, AuditedRead, csvList, IdParam, Limit, Needs, type PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BadRatingsOfBot } from '../../projections/bad-ratings.ts';
import type { BotRating } from '../../projections/bot-usage.ts';
import { NewestOfSpend } from '../../projections/spend.ts';
import { KnownSubjects } from '../../workflows/known-subjects.ts';
import { SubjectNames } from '../../workflows/subject-names.ts';
import { type BadRatingItem, BadRatingsAnswer } from '../admin-answers.ts';
import { windowOfDays } from '../windows.ts';

/** The most ratings on one page, because inference is asked for their comments in one call. */
const MOST_LISTED = 100;

class BadRatingsQuery {
  @Limit(MOST_LISTED) limit: number = 50;
  @IsOptional() @IsString() next_token?: string;
  @IsOptional() @IsInt() @Min(1) @Max(366) days: number = 30;
}

/** What inference knows of replies, by conversation/reply. A replica of an earlier release returns no users. */
interface RatedReplies {
  readonly comments: Readonly<Record<string, string>>;
  readonly users?: Readonly<Record<string, string>>;
}

/** A page continues with the days of the first one, even after midnight. */
interface PageCursor {
  readonly from: string;
  readonly to: string;
  readonly after: Cursor;
}

const COLUMNS = [
  'create_time',
  'user_id',
  'user_name',
  'category',
  'comment',
  'conversation_id',
  'message_id',
  'is_removed',
] as const satisfies readonly (keyof BadRatingItem)[];

/** The bad ratings of a bot one by one. */
@Controller('admin/bots/:botId/bad-ratings')
@Needs('Admin')
export class BadRatingsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly names: SubjectNames,
    private readonly known: KnownSubjects,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AuditedRead('view_satisfaction', 'bot', 'botId')
  @Summary(
    "List the bad ratings of a bot's replies in the most recent days, newest first. A page may be shorter than its limit although others follow.",
  )
  @Answers(200, BadRatingsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('bot_not_found', 404)
  list(
    @IdParam('botId') botId: string,
    @Query() { days, ...page }: BadRatingsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = (its: PageQuery) => this.page(botId, days, its);
    return acceptsCsv(request.headers.accept) ? csvList(reply, { list: 'ratings', columns: COLUMNS, read }) : read(page);
  }

  private async page(botId: string, days: number, { limit, next_token }: PageQuery): Promise<BadRatingsAnswer> {
    const listing = { list: 'bad-ratings', botId, days };
    const cursor = next_token === undefined ? null : this.tokens.open<PageCursor>(listing, next_token);
    const window = windowOfDays({ days }, this.clock.now());
    const { from, to } = cursor ?? { from: window.from.slice(0, 10), to: window.to.slice(0, 10) };
    const as_of = await this.queries.execute(new NewestOfSpend());
    const { ratings, next } = await this.queries.execute(new BadRatingsOfBot(botId, from, to, limit, cursor?.after ?? null));
    if (ratings.length === 0 && cursor === null) await this.known.requireBot(botId);
    return {
      as_of,
      bot_id: botId,
      ratings: await this.items(ratings),
      next_token: next && this.tokens.seal(listing, { from, to, after: next } satisfies PageCursor),
    };
  }

  /** Comments come from inference, which keeps them because they are erased with their conversations. */
  private async items(ratings: readonly BotRating[]): Promise<BadRatingItem[]> {
    if (ratings.length === 0) return [];
    const replies = ratings.map(({ conversation_id, reply_id }) => `${conversation_id}/${reply_id}`);
    const { comments, users } = await this.calls.post<RatedReplies>('inference', '/internal/feedback/comments', { replies }, HARMLESS);
    const names = (await this.names.known({ users: [...new Set(Object.values(users ?? {}))], bots: [] })).user;
    return ratings.map(({ conversation_id, reply_id, category, time }, index) => {
      const user_id = users?.[replies[index]!] ?? null;
      return {
        conversation_id,
        message_id: reply_id,
        user_id,
        user_name: (user_id && names.get(user_id)) ?? null,
        category,
        comment: comments[replies[index]!] ?? null,
        create_time: Math.floor(Date.parse(time) / 1_000),
        is_removed: users !== undefined && user_id === null,
      };
    });
  }
}
