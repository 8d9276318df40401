import { Instant } from '@parlance/decider';
import type { Transaction } from '@parlance/sqlite';
import type { Append, Companion } from '../../src/append.ts';
import { type Commit, commitsOf, type EventStore, type Metadata, type StoredEvent } from '../../src/event-store.ts';
import type { Upcasters } from '../../src/upcasting.ts';

/** A store under test, with its own log, which is empty at first. */
export interface Subject {
  readonly store: EventStore;
  /** Opens the same log again, as another process would: the two stores share only the stored data. */
  again(upcasters?: Upcasters): Promise<EventStore>;
  /** Present only for a store that has `joinsCompanions`. */
  readonly joined?: Joined;
  /** Closes every store that was opened here, and removes the log. */
  end(): Promise<void>;
}

/** A table of notes in the same file as the log. */
export interface Joined {
  notes(): readonly string[];
  /** A companion that writes a note. */
  note(text: string): Companion;
  /** From now on, this function runs as `beside` of each append to `store`. */
  beside(run: (transaction: Transaction, commit: Commit) => void): void;
}

export type MakeSubject = () => Promise<Subject>;

export interface ContractCase {
  readonly name: string;
  run(subject: Subject): Promise<void>;
}

export type Said = StoredEvent & { readonly type: 'Said'; readonly words: string };

export const metadata: Metadata = {
  at: Instant.ofMillis(1_790_000_000_123),
  actor: 'user-1',
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  requestId: 'request-1',
  correlationId: 'correlation-1',
  causationId: null,
};

export const said = (words: string): Said => ({ type: 'Said', words });

/** An append of one event to the stream `a`, on its first version, unless overridden. */
export const saying = (words: string, differently: Partial<Append> = {}): Append => ({
  stream: 'a',
  expected: 0,
  events: [said(words)],
  metadata,
  ...differently,
});

export const words = (commits: readonly Pick<Commit, 'events'>[]): string[] =>
  commits.flatMap(({ events }) => events.map(({ event }) => (event as Said).words));

/** All commits of a stream after a version. */
export async function stored(store: EventStore, stream: string, after?: number): Promise<Commit[]> {
  const all: Commit[] = [];
  for await (const commit of commitsOf(store, stream, after)) all.push(commit);
  return all;
}

/** The whole log, in small steps. */
export async function log(store: EventStore): Promise<Commit[]> {
  const all: Commit[] = [];
  for (;;) {
    const next = await store.readAll(all.at(-1)?.position ?? 0, 100);
    if (next.length === 0) return all;
    all.push(...next);
  }
}

/** The log as soon as it contains a version of a stream, because positions may be assigned after the append has resolved. */
export async function logWith(store: EventStore, stream: string, version: number): Promise<Commit[]> {
  await store.positionOf(stream, version);
  return log(store);
}
