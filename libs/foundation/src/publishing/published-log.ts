import type { Instant } from '@parlance/decider';
import { type Commit, type EventStore, positionAt, READ_BYTES, READ_COMMITS } from '@parlance/event-store';
import type { CloudEvent, Outgoing } from '@parlance/messaging';

/** Public events of one service, in log order. */
export interface PublishedPage {
  readonly events: readonly CloudEvent[];
  /** The log was read up to here. The next page begins after it. */
  readonly position: number;
  /** The end of the log when the page was read. */
  readonly head: number;
}

/**
 * A service's public events, read from its log. Topics keep events for a limited time; the log keeps all events. A commit always maps to the
 * same public events with the same IDs.
 */
export class PublishedLog {
  constructor(
    private readonly store: EventStore,
    private readonly publish: (commit: Commit) => readonly Outgoing[],
  ) {}

  /**
   * Events after a position: of these types, or of all types if the list is empty. `mayMissNewest`: the reader comes again soon, so at the end of the
   * log that this process has noticed, the database is not asked.
   */
  async after(position: number, types: readonly string[] = [], bytes = READ_BYTES, mayMissNewest = false): Promise<PublishedPage> {
    const noticed = mayMissNewest ? this.store.noticedHead() : null;
    // The reader may have heard of newer events from another replica.
    if (noticed !== null && position >= noticed) return { events: [], position, head: position };
    // The head is read first, so a page that reaches it is complete up to it.
    const head = await this.store.head();
    const commits = await this.store.readAll(position, READ_COMMITS, bytes);
    const wanted = new Set(types);
    const events = commits.flatMap((commit) => this.publish(commit).map(({ event }) => event));
    return {
      events: wanted.size === 0 ? events : events.filter(({ type }) => wanted.has(type)),
      position: commits.at(-1)?.position ?? position,
      head,
    };
  }

  /** The position of the first commit that is not older than an instant; after the end of the log if all are older. */
  positionAt(at: Instant): Promise<number> {
    return positionAt(this.store, at);
  }
}

type Readable = Pick<PublishedLog, 'after' | 'positionAt'>;

/** A service of this process that has not started after this time counts as unavailable. */
const PATIENCE_MS = 10_000;

/**
 * The published logs of the services in this process. The services start one after the other, and the read models of an earlier service may
 * follow the events of a later one. The first read of such a read model waits until the later service has started.
 */
export class LocalPublishedLogs {
  private readonly logs = new Map<string, Readable>();
  private readonly expected = new Map<string, PromiseWithResolvers<Readable | undefined>>();

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** Names the services that will start in this process. */
  expect(services: readonly string[]): void {
    for (const service of services) this.expected.set(service, Promise.withResolvers());
  }

  enter(service: string, log: Readable): void {
    this.logs.set(service, log);
    this.expected.get(service)?.resolve(log);
  }

  /** Undefined for a service of another process, and for one that does not start in time. */
  async of(service: string): Promise<Readable | undefined> {
    const known = this.logs.get(service);
    const expected = this.expected.get(service);
    if (known || !expected) return known;
    const late = setTimeout(() => expected.resolve(undefined), this.patienceMs);
    return expected.promise.finally(() => clearTimeout(late));
  }
}
