import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { Best } from '@parlance/search';
import type { Person } from '../domain/sharing.ts';
import { DAY } from './bot-uses.ts';
import { BotList, type ListedBot, type ListKind, NotedBots } from './bots/bot-lists.ts';
import { TitlesOf } from './bots/bot-queries.ts';
import { Popularity } from './popularity.ts';
import { type Listing, StoreIndex } from './store-index.ts';

/** One page of the store, and the position of its last bot if there are more. */
export interface StorePage<Position> {
  readonly bots: readonly ListedBot[];
  readonly next: Position | null;
}

/** A position in an order of bots: the greatest score first, then the newest bot. */
export interface Scored {
  readonly score: number;
  readonly id: string;
}

/** A position among the pinned bots. It contains no title, because a token could outlive the bot. */
export interface PinnedPosition {
  readonly pin: number;
  readonly id: string;
}

/** A position in the daily selection. */
export interface Picked extends Scored {
  readonly day: number;
}

/** The lists of the store. Every bot is checked against the rows, so that a change of sharing takes effect once it is answered. */
@Injectable()
export class Store {
  constructor(
    private readonly queries: QueryBus,
    private readonly index: StoreIndex,
    private readonly popularity: Popularity,
    private readonly clock: Clock,
  ) {}

  search(person: Person, query: string, limit: number, after: Scored | null): Promise<StorePage<Scored>> {
    return this.page(person, limit, after, async (wanted, place) => {
      const { ids, next } = await this.index.search(person, query, wanted, place);
      return { ids, next };
    });
  }

  /** The most popular bots, by uses in the last 30 days. Bots without uses are left out. */
  async popular(person: Person, limit: number, after: Scored | null): Promise<StorePage<Scored>> {
    const scores = await this.popularity.current();
    const visible = await this.index.visibleOf(person, scores.keys());
    return this.ranked(person, limit, after, visible, (bot) => scores.get(bot.id)!);
  }

  /** A selection that changes every day (UTC). */
  async pickup(person: Person, limit: number, after: Picked | null): Promise<StorePage<Picked>> {
    const day = after?.day ?? Math.floor(this.clock.now() / DAY);
    const page = await this.ranked(person, limit, after, await this.index.allFor(person), (bot) => drawn(bot.hash, day));
    return { ...page, next: page.next && { ...page.next, day } };
  }

  async pinned(person: Person, limit: number, after: PinnedPosition | null): Promise<StorePage<PinnedPosition>> {
    const inOrder = (await this.index.pinnedFor(person)).map(({ id, pin, title }) => ({ id, pin: pin!, title })).sort(byPin);
    return this.page(person, limit, after, async (wanted, place) => {
      // If the last bot of the page was deleted meanwhile, bots with the same score may appear again, but none is left out.
      const last = place && { ...place, title: this.index.titleOf(place.id) ?? '' };
      const left = last === null ? inOrder : inOrder.filter((bot) => byPin(bot, last) > 0);
      const found = left.slice(0, wanted);
      const { pin, id } = found.at(-1) ?? { pin: 0, id: '' };
      return { ids: found.map((bot) => bot.id), next: left.length > wanted ? { pin, id } : null };
    });
  }

  /** The bots that the user has starred, then recently used ones, then pinned ones, each once. A list is only read if there is space for it. */
  async shelf(person: Person, limit: number): Promise<readonly ListedBot[]> {
    const list = async (kind: ListKind, starred?: true) =>
      (await this.queries.execute(new BotList({ person, kind, starred, limit, after: null }))).bots;
    const lists = [
      () => list('private', true),
      () => list('shared', true),
      () => list('mixed'),
      async () => (await this.pinned(person, limit, null)).bots,
    ];
    const byId = new Map<string, ListedBot>();
    for (const read of lists) {
      if (byId.size >= limit) break;
      for (const bot of await read()) if (!byId.has(bot.row.id)) byId.set(bot.row.id, bot);
    }
    return [...byId.values()].slice(0, limit);
  }

  private ranked(
    person: Person,
    limit: number,
    after: Scored | null,
    bots: Iterable<Listing>,
    scoreOf: (bot: Listing) => number,
  ): Promise<StorePage<Scored>> {
    return this.page(person, limit, after, async (wanted, place) => {
      const best = new Best(wanted + 1, place ?? undefined);
      for (const bot of bots) {
        const score = scoreOf(bot);
        if (best.admits(score, bot.id)) best.add(score, bot.id);
      }
      const found = best.inOrder();
      return { ids: found.slice(0, wanted).map(({ id }) => id), next: found.length > wanted ? found[wanted - 1]! : null };
    });
  }

  /** Fills a page with bots that the user may see according to the rows, and determines whether another page follows. */
  private async page<Position extends { readonly id: string }>(
    person: Person,
    limit: number,
    after: Position | null,
    find: (limit: number, after: Position | null) => Promise<{ ids: readonly string[]; next: Position | null }>,
  ): Promise<StorePage<Position>> {
    const bots: ListedBot[] = [];
    let place = after;
    for (;;) {
      const { ids, next } = await find(limit - bots.length, place);
      const seen = await this.queries.execute(new NotedBots(person, ids));
      if (seen.length < ids.length) await this.forgetDeleted(ids);
      bots.push(...seen);
      if (next === null || bots.length === limit) return { bots, next };
      place = next;
    }
  }

  /** A bot without a row was deleted. Its ID is never used again. */
  private async forgetDeleted(ids: readonly string[]): Promise<void> {
    const present = await this.queries.execute(new TitlesOf(ids));
    for (const id of ids) if (!present.has(id)) this.index.remove(id);
  }
}

type PinnedBot = PinnedPosition & { readonly title: string };

const byPin = (one: PinnedBot, other: PinnedBot) =>
  one.pin - other.pin || compare(one.title.toLowerCase(), other.title.toLowerCase()) || compare(one.id, other.id);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** A pseudo-random number for a bot, the same all day. */
function drawn(hash: number, day: number): number {
  let mixed = Math.imul(hash ^ Math.imul(day, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
