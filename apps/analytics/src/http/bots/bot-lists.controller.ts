import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, AuditedRead, csv, MOST_CSV_ROWS, Needs, PageQuery, PageTokens } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsBoolean, IsOptional, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Window } from '../../domain/window.ts';
import { NewestOfPublications, PublishedAmong, type PublishedBot, PublishedBots } from '../../projections/published-bots.ts';
import { NewestOfSpend } from '../../projections/spend.ts';
import { BotListing } from '../../workflows/bot-listing.ts';
import { KeptLists, type ListCursor } from '../../workflows/kept-lists.ts';
import { PublicBotItem, PublicBotsAnswer, PublishedBotItem, PublishedBotsAnswer } from '../admin-answers.ts';
import { bothOf } from '../costs/cost-entries.ts';
import { COMPACT_HOUR, windowOfCompactHours } from '../windows.ts';

class PublicBotsQuery extends PageQuery {
  @IsOptional() @Matches(COMPACT_HOUR, { message: 'must be an hour, YYYYMMDDHH' }) start?: string;
  @IsOptional() @Matches(COMPACT_HOUR, { message: 'must be an hour, YYYYMMDDHH' }) end?: string;
  /** Also return bots without usage. */
  @IsOptional() @IsBoolean() include_all: boolean = false;
}

const COMMON = ['id', 'title', 'description', 'owner_user_id', 'shared_scope', 'status'] as const;
const PUBLIC = [
  ...COMMON,
  'is_published',
  'published_datetime',
  'total_price',
  'as_corrected',
] as const satisfies readonly (keyof PublicBotItem)[];
const PUBLISHED = [...COMMON, 'published_stack_name', 'published_datetime', 'endpoint', 'request_count'] as const;
/** The number of bots on one CSV page. */
const CSV_PAGE = 500;

/** Lists of bots for administrators: bots that are not private, and published bots. */
@Controller('admin')
@Needs('Admin')
export class BotListsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly listing: BotListing,
    private readonly lists: KeptLists,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get('public-bots')
  @AuditedRead('view_public_bots', 'bots')
  @Summary(
    'List the shared bots and their cost from one hour (UTC) to another, or in the current month, highest cost first. A next_token is valid for an hour.',
  )
  @Answers(200, PublicBotsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  @Refuses('window_too_large', 400)
  async publicBots(@Query() query: PublicBotsQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { limit, next_token, start, end, include_all } = query;
    const window = windowOfCompactHours(start, end, this.clock.now());
    if (acceptsCsv(request.headers.accept)) {
      const ids = await this.listing.ids(window, include_all);
      return this.csv(reply, 'public-bots', PUBLIC, this.publicPages(ids.slice(0, MOST_CSV_ROWS), window));
    }
    const signed = { list: 'admin-public-bots', start, end, include_all };
    const cursor = next_token === undefined ? null : this.tokens.open<ListCursor & { readonly window: Window }>(signed, next_token);
    const as_of = await this.queries.execute(new NewestOfSpend());
    const ids = cursor === null ? await this.listing.ids(window, include_all) : await this.lists.read(cursor.list);
    const [from, of] = [cursor?.from ?? 0, cursor?.window ?? window];
    const to = from + limit;
    const list = ids.length <= to ? null : (cursor?.list ?? (await this.lists.keep(ids)));
    return {
      as_of,
      bots: await this.publicItems(ids.slice(from, to), of),
      next_token: list === null ? null : this.tokens.seal(signed, { list, from: to, window: of }),
    };
  }

  @Get('published-bots')
  @AuditedRead('view_published_bots', 'bots')
  @Summary('List the bots that are published as APIs, most recently published first.')
  @Answers(200, PublishedBotsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  async publishedBots(@Query() query: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return this.csv(reply, 'published-bots', PUBLISHED, this.publishedPages());
    const signed = { list: 'admin-published-bots' };
    const after = query.next_token === undefined ? null : this.tokens.open<Cursor>(signed, query.next_token);
    const as_of = await this.queries.execute(new NewestOfPublications());
    const { bots, next } = await this.queries.execute(new PublishedBots(query.limit, after));
    return { as_of, bots: await this.publishedItems(bots), next_token: next && this.tokens.seal(signed, next) };
  }

  private csv<Column extends string>(
    reply: FastifyReply,
    name: string,
    columns: readonly Column[],
    pages: Parameters<typeof csv<Column>>[1],
  ) {
    void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}.csv"`);
    return csv<Column>(columns, pages);
  }

  private async *publicPages(ids: readonly string[], window: Window): AsyncGenerator<PublicBotItem[]> {
    for (let from = 0; from < ids.length; from += CSV_PAGE) yield this.publicItems(ids.slice(from, from + CSV_PAGE), window);
  }

  private async *publishedPages(): AsyncGenerator<PublishedBotItem[]> {
    for (let after: Cursor | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page: { readonly bots: readonly PublishedBot[]; readonly next: Cursor | null } = await this.queries.execute(
        new PublishedBots(CSV_PAGE, after),
      );
      yield this.publishedItems(page.bots);
      after = page.next;
    }
  }

  /** The items of a page, without bots that have become private or were deleted. */
  private async publicItems(ids: readonly string[], window: Window): Promise<PublicBotItem[]> {
    const [bots, prices] = [await this.listing.shown(ids), await this.listing.pricesOf(ids, window)];
    const published = await this.queries.execute(new PublishedAmong(ids));
    return ids.flatMap((id) => {
      const bot = bots.get(id);
      const time = published.get(id)?.published_at ?? null;
      const price = prices.get(id) ?? { nano_dollars: 0 };
      const usage = {
        is_published: time !== null,
        published_datetime: time === null ? null : seconds(time),
        total_price: dollars(price.nano_dollars),
        as_corrected: bothOf(price).as_corrected,
      };
      return bot ? [{ ...bot, ...usage }] : [];
    });
  }

  private async publishedItems(rows: readonly PublishedBot[]): Promise<PublishedBotItem[]> {
    const bots = await this.listing.shown(rows.map(({ bot_id }) => bot_id));
    return rows.flatMap(({ bot_id, api_id, stage, published_at, requests }) => {
      const bot = bots.get(bot_id);
      const usage = {
        published_stack_name: `${this.config.environment}${this.config.stackPrefix}-${api_id}`,
        published_datetime: seconds(published_at),
        endpoint: `${this.config.publicBaseUrl}/published/${api_id}/${stage}`,
        request_count: requests,
      };
      return bot ? [{ ...bot, ...usage }] : [];
    });
  }
}

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000);
