import { setImmediate } from 'node:timers/promises';
import { READ_BYTES, READ_COMMITS } from '@parlance/event-store';
import type { ForeignProjection } from '../projection.ts';
import {
  afterPosition,
  compareSequences,
  positionOf,
  type PublishedEvent,
  type PublishedEvents,
  type TopicOrigin,
  type Topics,
} from '../published.ts';
import { linesOf, originsOf } from './partitions.ts';
import type { Item, ProgressTracker } from './progress-tracker.ts';
import { SourceHeads } from './source-heads.ts';

/** The most that one read of a log or a topic returns. */
export const BATCH = { events: READ_COMMITS, bytes: READ_BYTES };

/** The positions of a catching-up projection in the logs of its sources. */
type Places = Readonly<Record<string, string>>;

export interface SourceLogsOptions {
  readonly projection: ForeignProjection;
  /** The main progress record, which contains the positions. */
  readonly main: ProgressTracker;
  readonly topics: Topics;
  readonly published: PublishedEvents;
  readonly itemOf: (event: PublishedEvent, to: string) => Item;
}

/** The logs of the sources of a projection that catches up. */
export class SourceLogs {
  readonly heads = new SourceHeads();
  /** The number of events that this process has read. */
  events = 0;

  constructor(private readonly options: SourceLogsOptions) {}

  /** The topics of the projection's events. */
  get origins(): readonly TopicOrigin[] {
    return originsOf(this.options.topics, this.options.projection.types);
  }

  /** Reads all logs to their ends. Returns false when it can't continue. */
  async read(isOver: () => boolean): Promise<boolean> {
    const { main, projection, published, itemOf } = this.options;
    if (main.at === '') await main.refresh();
    for (const source of new Set(this.origins.map((origin) => origin.source))) {
      for (let isEnd = false; !isEnd;) {
        const place = this.places[source] ?? afterPosition(0);
        const page = await published.after(source, positionOf(place) - 1, BATCH);
        if (isOver()) return false;
        isEnd = page.position >= page.head;
        const items = page.events
          .filter(({ type, sequence }) => projection.types.includes(type) && compareSequences(sequence, place) > 0)
          .map((event) => itemOf(event, this.placesWith(source, event.sequence)));
        const to = page.position < positionOf(place) ? place : afterPosition(page.position);
        const outcome = await main.take(items, { to: this.placesWith(source, to), reached: this.heads.reach(source, page) });
        this.events += page.events.length;
        if (outcome !== 'moved') return outcome === 'contended' && !main.progress.ready && this.read(isOver);
        await setImmediate();
      }
    }
    return true;
  }

  /** Records, for every partition, the position from which it will be read from its topic. */
  async handOver(): Promise<void> {
    const { main, topics } = this.options;
    const lines = await linesOf(topics, this.origins, this.places);
    await main.take([], { to: main.at, reached: 1, isDue: true, lines });
  }

  private get places(): Places {
    return this.options.main.at === '0' ? {} : (JSON.parse(this.options.main.at) as Places);
  }

  private placesWith(source: string, place: string): string {
    return JSON.stringify({ ...this.places, [source]: place });
  }
}
