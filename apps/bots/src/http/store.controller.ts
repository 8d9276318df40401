import { Controller, Get, Query } from '@nestjs/common';
import { Caller, Limit, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { MAX_QUERY } from '@parlance/search';
import { Length } from 'class-validator';
import { z } from 'zod';
import type { ListedBot } from '../projections/bots/bot-lists.ts';
import { type Picked, type PinnedPosition, type Scored, Store } from '../projections/store.ts';
import { BotItem, pageOf } from './answers.ts';
import { BotAnswers } from './bot-answers.ts';

class SearchQuery extends PageQuery {
  @Length(1, MAX_QUERY) query!: string;
}

/** The shelf has no pages. */
const MOST_ON_SHELF = 100;

class ShelfQuery {
  @Limit(MOST_ON_SHELF) limit: number = 20;
}

const BotPage = pageOf('bots', BotItem);
const BotShelf = z.object({ bots: z.array(BotItem) }).meta({ title: 'BotShelf' });
const FoundBots = pageOf('results', BotItem).meta({ title: 'FoundBots' });

@Controller()
export class StoreController {
  constructor(
    private readonly store: Store,
    private readonly answers: BotAnswers,
    private readonly tokens: PageTokens,
  ) {}

  @Get('store/search')
  @SignedIn()
  @Summary('Search the titles and descriptions of bots, best matches first. Words in quotes are a phrase.')
  @Answers(200, FoundBots)
  @Refuses('invalid_next_token', 400)
  @Refuses('store_index_building', 503)
  async search(@Caller() caller: Caller, @Query() { query, limit, next_token }: SearchQuery) {
    const listId = { list: 'store-search', user: caller.userId, query };
    const { bots, ...page } = await this.page(listId, next_token, (after: Scored | null) => this.store.search(caller, query, limit, after));
    return { results: bots, ...page };
  }

  @Get('store/popular')
  @SignedIn()
  @Summary('List the most used bots of the last 30 days. Recent uses count more.')
  @Answers(200, BotPage)
  @Refuses('invalid_next_token', 400)
  @Refuses('store_index_building', 503)
  popular(@Caller() caller: Caller, @Query() { limit, next_token }: PageQuery) {
    const listId = { list: 'store-popular', user: caller.userId };
    return this.page(listId, next_token, (after: Scored | null) => this.store.popular(caller, limit, after));
  }

  @Get('store/pickup')
  @SignedIn()
  @Summary('List bots in a random order that changes every day (UTC).')
  @Answers(200, BotPage)
  @Refuses('invalid_next_token', 400)
  @Refuses('store_index_building', 503)
  pickup(@Caller() caller: Caller, @Query() { limit, next_token }: PageQuery) {
    const listId = { list: 'store-pickup', user: caller.userId };
    return this.page(listId, next_token, (after: Picked | null) => this.store.pickup(caller, limit, after));
  }

  @Get('bot/pinned')
  @SignedIn()
  @Summary('List the pinned bots by their order, then by title.')
  @Answers(200, BotPage)
  @Refuses('invalid_next_token', 400)
  @Refuses('store_index_building', 503)
  pinned(@Caller() caller: Caller, @Query() { limit, next_token }: PageQuery) {
    const listId = { list: 'pinned-bots', user: caller.userId };
    return this.page(listId, next_token, (after: PinnedPosition | null) => this.store.pinned(caller, limit, after));
  }

  @Get('bot/shelf')
  @SignedIn()
  @Summary('List the bots that the caller has starred, then recently used ones, then pinned ones, each once.')
  @Answers(200, BotShelf)
  @Refuses('store_index_building', 503)
  async shelf(@Caller() caller: Caller, @Query() { limit }: ShelfQuery) {
    return { bots: await this.answers.items(await this.store.shelf(caller, limit)) };
  }

  private async page<Position>(
    listId: object,
    token: string | undefined,
    find: (after: Position | null) => Promise<{ bots: readonly ListedBot[]; next: Position | null }>,
  ) {
    const { bots, next } = await find(token === undefined ? null : this.tokens.open<Position>(listId, token));
    return { bots: await this.answers.items(bots), next_token: next === null ? null : this.tokens.seal(listId, next) };
  }
}
