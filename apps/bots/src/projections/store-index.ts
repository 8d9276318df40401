import { setImmediate, setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { LOGGER } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import { analyserFor, type Place, TextIndex } from '@parlance/search';
import { maySee, type Person, relationOf, type Sharing } from '../domain/sharing.ts';
import { BotsChangedAfter, TitlesOf } from './bots/bot-queries.ts';
import { type BotRow, sharingOf } from './bots/bot-rows.ts';
import { OpenedTexts } from './opened-texts.ts';

/** A bot in the index of the store. */
export interface Listing {
  readonly id: string;
  readonly ownerUserId: string;
  readonly sharing: Sharing;
  readonly pin: number | null;
  readonly title: string;
  /** A number that depends only on the ID. */
  readonly hash: number;
}

/** The number of rows that one step reads. */
export const ROWS_AT_ONCE = 200;
/** The number of texts opened in one turn of the event loop, which takes about 5 ms. */
const OPENED_AT_ONCE = 50;
/** The number of bots examined in one turn of the event loop, which takes about 5 ms. */
const LOOKED_AT_ONCE = 20_000;
/** How long a search waits for an index that is being filled. */
const LONGEST_WAIT_MILLIS = 5_000;
/** The delay after which the index is filled. The service usually accepts requests by then. A request starts the filling at once. */
const FILLED_AFTER_MILLIS = 1_000;

/** A match in the title counts more than one in the description. */
const WEIGHTS = { title: 5, description: 1 };

/**
 * All bots in memory, for the store. Texts are sealed in storage, so no database can index them. Each request first updates the index from the
 * rows, and checks its result against the rows, which removes deleted bots.
 */
@Injectable()
export class StoreIndex implements OnApplicationBootstrap {
  private readonly texts: TextIndex<Listing>;
  private readonly listings = new Map<string, Listing>();
  private readonly pinned = new Set<string>();
  private upTo = 0;
  private isFilled = false;
  private catchingUp: Promise<void> | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly opened: OpenedTexts,
    config: Config,
    @Inject(LOGGER) log: Logger,
  ) {
    const { analyser, isKnown } = analyserFor(config.botStoreLanguage);
    if (!isKnown)
      log.warn(
        { botStoreLanguage: config.botStoreLanguage },
        'the store has no analyser for this language; words are compared as they are',
      );
    this.texts = new TextIndex(analyser, WEIGHTS);
  }

  /** The number of bots in the index, some of which may be deleted. */
  get size(): number {
    return this.listings.size;
  }

  /** Fills the index, so that the first search does not wait. The delay keeps this from slowing the start of the service. */
  onApplicationBootstrap(): void {
    setTimeout(FILLED_AFTER_MILLIS, undefined, { ref: false })
      .then(() => this.refresh())
      .catch(() => undefined);
  }

  /** Removes deleted bots that no request has removed. */
  async removeDeleted(): Promise<void> {
    const ids = [...this.listings.keys()];
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const part = ids.slice(from, from + ROWS_AT_ONCE);
      const present = await this.queries.execute(new TitlesOf(part));
      for (const id of part) if (!present.has(id)) this.remove(id);
      await setImmediate();
    }
  }

  /** The best matches among the bots that a user may see. */
  async search(person: Person, query: string, limit: number, after: Place | null): Promise<{ ids: readonly string[]; next: Place | null }> {
    await this.ready();
    const isVisible = (bot: Listing) => maySee(relationOf(person, bot));
    const { hits, next } = this.texts.search(query, { isVisible, limit, ...(after && { after }) });
    return { ids: hits.map(({ id }) => id), next };
  }

  /** All pinned bots that a user may see. */
  async pinnedFor(person: Person): Promise<readonly Listing[]> {
    await this.ready();
    return this.visible(person, this.pinned);
  }

  /** The bots among these that a user may see. */
  async visibleOf(person: Person, ids: Iterable<string>): Promise<readonly Listing[]> {
    await this.ready();
    return this.visible(person, ids);
  }

  titleOf(id: string): string | undefined {
    return this.listings.get(id)?.title;
  }

  /** All bots that a user may see. */
  async allFor(person: Person): Promise<readonly Listing[]> {
    await this.ready();
    const found: Listing[] = [];
    let looked = 0;
    for (const listing of this.listings.values()) {
      if (maySee(relationOf(person, listing))) found.push(listing);
      if (++looked % LOOKED_AT_ONCE === 0) await setImmediate();
    }
    return found;
  }

  /** Called for a bot that was found to be deleted. */
  remove(id: string): void {
    this.texts.remove(id);
    this.listings.delete(id);
    this.pinned.delete(id);
  }

  private visible(person: Person, ids: Iterable<string>): Listing[] {
    const found: Listing[] = [];
    for (const id of ids) {
      const listing = this.listings.get(id);
      if (listing && maySee(relationOf(person, listing))) found.push(listing);
    }
    return found;
  }

  /** Resolves when the index includes everything that was written before the call. */
  private async ready(): Promise<void> {
    const refreshed = this.refresh();
    if (this.isFilled) return refreshed;
    const late = Symbol('late');
    const first = await Promise.race([refreshed, setTimeout(LONGEST_WAIT_MILLIS, late, { ref: false })]);
    if (first === late)
      throw refuse('unavailable', 'store_index_building', 'The store is being indexed. Try again in a few seconds.', { retry_after: 5 });
  }

  private async refresh(): Promise<void> {
    // An update that began earlier may lack what the caller has just written, so another one follows.
    await this.catchingUp;
    await (this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null)));
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const { rows, more } = await this.queries.execute(new BotsChangedAfter(this.upTo, ROWS_AT_ONCE));
      for (let from = 0; from < rows.length; from += OPENED_AT_ONCE) {
        const part = rows.slice(from, from + OPENED_AT_ONCE);
        await Promise.all(part.map((row) => this.put(row)));
        if (rows.length > OPENED_AT_ONCE) await setImmediate();
      }
      this.upTo = rows.at(-1)?.position ?? this.upTo;
      if (!more) break;
    }
    this.isFilled = true;
  }

  private async put(row: BotRow): Promise<void> {
    const [title, description] = await Promise.all([this.opened.openNow(row.title), this.opened.openNow(row.description)]);
    if (title === null || description === null) return this.remove(row.id);
    const { id, owner_user_id: ownerUserId, pin } = row;
    const listing = { id, ownerUserId, sharing: sharingOf(row), pin, title, hash: hashOf(id) };
    this.listings.set(id, listing);
    this.texts.put(id, { title, description }, listing);
    if (pin === null) this.pinned.delete(id);
    else this.pinned.add(id);
  }
}

/** FNV-1a, in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
