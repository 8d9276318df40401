import { type Decider, Instant } from '@parlance/decider';
import { type Append, type Commit, type EventStore, execute, stateOf, type StoredEvent, VersionConflict } from '@parlance/event-store';
import type { ExecuteOptions, Streams } from '@parlance/foundation';
import { requireMatch } from '@parlance/http';

/** Awaited before each step of the store. If it throws, the process crashes at that step. */
export type Turn = () => Promise<unknown>;

export const cutOff = new Error('cut off');

const metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

/** Streams in memory that several simulated processes share. A test decides which process takes the next step. */
export class StreamsInMemory {
  private readonly commits = new Map<string, Commit[]>();

  /** The streams as one process sees them. */
  as(turn: Turn): Streams {
    const store = {
      read: async (stream: string, after = 0) => (await turn(), { commits: this.of(stream).slice(after), more: false }),
      append: async (append: Append) => (await turn(), this.append(append)),
      loadSnapshot: async () => null,
      saveSnapshot: async () => undefined,
    } as unknown as EventStore;
    const look = <Event extends StoredEvent, State>(decider: Decider<never, Event, State>, stream: string) =>
      stateOf(store, decider, stream);
    return {
      look,
      load: async (decider: Decider<never, StoredEvent, unknown>, stream: string) => (await look(decider, stream)).state,
      // With a store for each command, commands on one stream interleave as those of several processes do.
      execute: (decider: Decider<never, StoredEvent, unknown>, stream: string, command: never, { ifMatch }: ExecuteOptions = {}) =>
        execute({ ...store } as EventStore, decider, {
          stream,
          command,
          metadata,
          attempts: 1_000,
          accepts: (version) => requireMatch(ifMatch, version),
        }),
    } as unknown as Streams;
  }

  events<Event extends StoredEvent>(stream: string): readonly Event[] {
    return this.of(stream).flatMap(({ events }) => events.map(({ event }) => event as Event));
  }

  /** The names of the streams with this prefix. */
  names(prefix: string): readonly string[] {
    return [...this.commits.keys()].filter((stream) => stream.startsWith(prefix));
  }

  private of(stream: string): readonly Commit[] {
    return this.commits.get(stream) ?? [];
  }

  private append({ stream, expected, events }: Append) {
    const before = this.of(stream);
    if (before.length !== expected) throw new VersionConflict(stream, expected);
    const recorded = events.map((event, index) => ({ id: `${stream}${expected}.${index}`, schema: 1, event }));
    this.commits.set(stream, [...before, { position: 0, stream, version: expected + 1, events: recorded, metadata }]);
    return { position: 0, version: expected + 1, written: true, events: recorded, earlier: [] };
  }
}
