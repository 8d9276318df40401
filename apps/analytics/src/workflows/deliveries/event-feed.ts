import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { Clock, PublishedEventsOfServices } from '@parlance/foundation';
import { turns } from '@parlance/event-loop';
import type { CloudEvent } from '@parlance/messaging';
import { isAfter, type LogPosition, type LogPositions, readAfter } from '../../domain/log-positions.ts';

/**
 * The services whose events are delivered. IDs of event streams use this order, so new services are added at the end. The edge is left out
 * because it accepts no calls of other services, so its log cannot be read. It only publishes its refusals.
 */
export const SOURCES = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;

/** The bytes of commits in one page. */
const PAGE_BYTES = 256 * 1024;
/** The most pages in memory. Readers at the end of a log share them. */
const MOST_PAGES = 32;
/** The end of a log is requested at most this often. */
const HEAD_MILLIS = 400;

export interface FeedPage {
  /** The events after the requested position. */
  readonly events: readonly CloudEvent[];
  /** The position after the page. */
  readonly place: LogPosition;
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

  async after(source: string, place: LogPosition): Promise<FeedPage> {
    const from = readAfter(place);
    const known = this.heads.get(source);
    if (known && from === known.head && this.clock.steady() - known.at < HEAD_MILLIS) return { events: [], place, isLast: true };
    const page = await this.page(source, from);
    // A log that was restored from a backup may end before the position.
    const end = page.position > page.head ? page.head : page.position;
    const events = page.events.filter(({ sequence }) => isAfter(sequence, place));
    return { events, place: String(end), isLast: page.position >= page.head };
  }

  /** An event of a log. Undefined if it does not exist. */
  async event(source: string, sequence: LogPosition): Promise<CloudEvent | undefined> {
    const isIt = (event: CloudEvent) => event.source === `/${source}` && event.sequence === sequence;
    for (const { events } of this.pages.values()) {
      const found = events.find(isIt);
      if (found) return found;
    }
    // At least one commit is read.
    return (await this.logs.after(source, readAfter(sequence), { bytes: 1 })).events.find(isIt);
  }

  /**
   * The positions before the first events that are not older than an instant. Clocks of replicas differ, so a few events may be older or
   * missing by that difference.
   */
  async positionsAt(at: Instant): Promise<LogPositions> {
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
    // A log in a file of this process is read without waiting, so this yields to other work before each page.
    await turns.next();
    const page = await this.logs.after(source, from, { bytes: PAGE_BYTES, mayMissNewest: true });
    this.heads.set(source, { head: page.head, at: this.clock.steady() });
    // Commits of a log never change. Later commits follow on the next page.
    if (page.position > from) this.keep(key, page);
    return page;
  }

  private keep(key: string, page: Kept): void {
    this.pages.set(key, page);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
  }
}
