import { type Decider, Instant } from '@parlance/decider';
import { type Append, type Commit, type EventStore, execute, type StoredEvent, VersionConflict } from '@parlance/event-store';

/** What is waited for before each step at the store. It may throw: then a replica is killed there. */
export type Turn = () => Promise<unknown>;

export const killed = new Error('killed');

const metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

/** One stream in memory, as replicas share it: for simulations of requests that come at the same time. */
export class SharedStream<Event extends StoredEvent> {
  private readonly commits: Commit[] = [];

  /** What one replica carries out for one request. */
  as<Command, State>(turn: Turn, decider: Decider<Command, Event, State>) {
    const store = {
      read: async (_: string, after = 0) => (await turn(), this.commits.slice(after)),
      append: async (append: Append) => (await turn(), this.append(append)),
    } as unknown as EventStore;
    return (command: Command) => execute(store, decider, { stream: 'shared', command, metadata, attempts: 1_000 });
  }

  events(): readonly Event[] {
    return this.commits.flatMap(({ events }) => events.map(({ event }) => event as Event));
  }

  private append({ stream, expected, events }: Append) {
    if (this.commits.length !== expected) throw new VersionConflict(stream, expected);
    const recorded = events.map((event, index) => ({ id: `${expected}.${index}`, schema: 1, event }));
    this.commits.push({ position: 0, stream, version: expected + 1, events: recorded, metadata });
    return { version: expected + 1, written: true, events: recorded };
  }
}
