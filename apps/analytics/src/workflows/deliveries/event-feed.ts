import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { Clock, PublishedEventsOfServices } from '@parlance/foundation';
import { turns } from '@parlance/event-loop';
import type { CloudEvent } from '@parlance/messaging';
import { isAfter, type LogPlace, type LogPlaces, readAfter } from '../../domain/log-places.ts';

/**
 * The services whose events are delivered. Their order is that of the IDs of streams of events: new ones are added at the end. The edge is
 * left out: it takes no calls of other services, so its log cannot be read. It only says what it has refused.
 */
export const SOURCES = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;

/** Bytes of commits that one page is made from. */
const PAGE_BYTES = 256 * 1024;
/** Pages in memory. Readers that are at the end of a log read the same ones. */
const MOST_PAGES = 32;
/** The end of a log is asked for this often at most. */
const HEAD_MILLIS = 400;

export interface FeedPage {
  /** Those after the place that was asked for. */
  readonly events: readonly CloudEvent[];
  /** The place behind the page. */
  readonly place: LogPlace;
  readonly isLast: boolean;
}

interface Kept {
  readonly events: readonly CloudEvent[];
  readonly position: number;
  readonly head: number;
}

/**
 * The public events of all services, read from their logs, which keep all of them. All readers of this process share the pages, and a
 * reader at the end of a log causes no call until the log has grown.
 */
@Injectable()
export class EventFeed {
  private readonly pages = new Map<string, Kept>();
  private readonly reading = new Map<string, Promise<Kept>>();
  private readonly heads = new Map<string, { readonly head: number; readonly at: number }>();

  constructor(
    private readonly logs: PublishedEventsOfServices,
    private readonly clock: Clock,
  ) {}

  async after(source: string, place: LogPlace): Promise<FeedPage> {
    const from = readAfter(place);
    const known = this.heads.get(source);
    if (known && from === known.head && this.clock.steady() - known.at < HEAD_MILLIS) return { events: [], place, isLast: true };
    const page = await this.page(source, from);
    // A log that was restored from a backup may end before the place.
    const end = page.position > page.head ? page.head : page.position;
    const events = page.events.filter(({ sequence }) => isAfter(sequence, place));
    return { events, place: String(end), isLast: page.position >= page.head };
  }

  /** An event of a log. Undefined if it is not there. */
  async event(source: string, sequence: LogPlace): Promise<CloudEvent | undefined> {
    const isIt = (event: CloudEvent) => event.source === `/${source}` && event.sequence === sequence;
    for (const { events } of this.pages.values()) {
      const found = events.find(isIt);
      if (found) return found;
    }
    // At least one commit is read.
    return (await this.logs.after(source, readAfter(sequence), { bytes: 1 })).events.find(isIt);
  }

  /** The places before the first events that are not older than an instant. Clocks of replicas differ, so a few may be older or missing by that. */
  async placesAt(at: Instant): Promise<LogPlaces> {
    const places = await Promise.all(
      SOURCES.map(async (source) => [source, String((await this.logs.positionAt(source, at)) - 1)] as const),
    );
    return Object.fromEntries(places);
  }

  private page(source: string, from: number): Promise<Kept> {
    const key = `${source} ${from}`;
    const kept = this.pages.get(key);
    if (kept) return Promise.resolve(kept);
    const reading = this.reading.get(key);
    if (reading) return reading;
    const read = this.read(source, from, key).finally(() => this.reading.delete(key));
    this.reading.set(key, read);
    return read;
  }

  private async read(source: string, from: number, key: string): Promise<Kept> {
    // A log in a file of this process is read without waiting. Other work gets a turn before each page.
    await turns.next();
    const page = await this.logs.after(source, from, { bytes: PAGE_BYTES });
    this.heads.set(source, { head: page.head, at: this.clock.steady() });
    // Commits of a log never change. More of them follow the page later, which is the next page.
    if (page.position > from) this.keep(key, page);
    return page;
  }

  private keep(key: string, page: Kept): void {
    this.pages.set(key, page);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
  }
}
