import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@parlance/decider';

/** What every event is: a word in the past tense and plain JSON. */
export interface StoredEvent {
  readonly type: string;
}

/** Who caused an append, when, and on behalf of which request: written once per commit, beside its events. */
export interface Metadata {
  readonly at: Instant;
  readonly actor: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly correlationId: string;
  /** The event or command that led to this one. */
  readonly causationId: string | null;
  /** W3C trace context, so that a consumer's span hangs below the request's. */
  readonly traceparent?: string;
}

export interface RecordedEvent<Event extends StoredEvent = StoredEvent> {
  /** ULID: what consumers recognise a repeat by. */
  readonly id: string;
  /** Version of the event type's schema when it was written; upcasters bring older ones to today's. */
  readonly schema: number;
  readonly event: Event;
}

/** One append: its events stand or fall together, and share a place in the log. */
export interface Commit<Event extends StoredEvent = StoredEvent> {
  /** Place in this service's log: 1, 2, 3 …, without gaps. In `read`, 0 while the commit has none yet; see `positionOf`. */
  readonly position: number;
  readonly stream: string;
  /** The stream's version after this append: its appends, counted from 1, without gaps. */
  readonly version: number;
  readonly events: readonly RecordedEvent<Event>[];
  readonly metadata: Metadata;
}

export interface Append {
  readonly stream: string;
  /** The version that the decision was made on: 0 for a stream that isn't there yet. */
  readonly expected: number;
  readonly events: readonly StoredEvent[];
  readonly metadata: Metadata;
  /**
   * Names of effects that may happen once. If the log already holds one of these names, the append is not written. The check is part
   * of the same write, so this is the inbox of a policy.
   */
  readonly once?: string | readonly string[];
}

/** A name of `Append.once` that the log holds, and the commit that used it. */
export interface Earlier {
  readonly name: string;
  readonly stream: string;
  readonly version: number;
  /** 0 while the commit has no position yet. */
  readonly position: number;
}

/** The names of an append, each once. */
export function namesOf(once: Append['once']): readonly string[] {
  if (once === undefined) return [];
  return typeof once === 'string' ? [once] : [...new Set(once)];
}

/** Commits that one read returns at most, unless told otherwise. */
export const READ_COMMITS = 500;
/** Bytes of events after which a read stops, unless told otherwise. One commit may exceed it. */
export const READ_BYTES = 1024 * 1024;

export interface Appended {
  /** Where the commit is in the log; 0 when the store assigns positions later. */
  readonly position: number;
  /** Of the commit that holds the events: with `written` false the earlier one, which may belong to another stream. */
  readonly version: number;
  /** False when `once` had been used before: nothing was written now. */
  readonly written: boolean;
  readonly events: readonly RecordedEvent[];
  /** The names of `once` that had been used before. */
  readonly earlier: readonly Earlier[];
}

export interface Snapshot<State = unknown> {
  readonly version: number;
  /** Changes when the shape of the state does; a snapshot of another shape is as good as none. */
  readonly shape: string;
  readonly state: State;
}

/** Thrown by `append` when the stream has moved past (or never reached) the version that the decision rests on. */
export class VersionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: number,
  ) {
    super(`${stream} is not at version ${expected}`);
    this.name = 'VersionConflict';
  }
}

/** Thrown by `append`, and by `positionOf` while it waits, once the store is closed. */
export class StoreClosed extends Error {
  constructor() {
    super('the event store is closed');
    this.name = 'StoreClosed';
  }
}

/** What every adapter asks of an append before it touches the log. Throws a `RangeError`: a mistake in the program. */
export function checkAppend({ stream, expected, events }: Append): void {
  if (events.length === 0) throw new RangeError(`an append to ${stream} has no events`);
  if (!Number.isSafeInteger(expected) || expected < 0) throw new RangeError(`an append to ${stream} expects version ${expected}`);
}

/**
 * The log of one service. An append is durable when its promise resolves. Positions follow without gaps, so whoever
 * has read up to p has missed nothing below p; within a stream the log's order is the stream's order.
 */
export abstract class EventStore {
  abstract append(append: Append): Promise<Appended>;
  /**
   * The next commits of a stream after a version, oldest first. Stops at the commit that passes a limit, so it returns at least one
   * if there is one. `commitsOf` reads all of them, page by page.
   */
  abstract read(stream: string, after?: number, commits?: number, bytes?: number): Promise<readonly Commit[]>;
  /** The next commits of the whole log after a position, oldest first. Limited like `read`. */
  abstract readAll(after: number, commits: number, bytes?: number): Promise<readonly Commit[]>;
  /** The position of the newest commit that `readAll` can give. */
  abstract head(): Promise<number>;
  /**
   * The position of a stream's version, once it has one: what a reader must have seen to have read that write.
   * Resolves only when `readAll` gives it; waits for a version that isn't there yet. Version 0 has position 0.
   */
  abstract positionOf(stream: string, version: number): Promise<number>;
  /** Resolves when the log may have grown past a position, or when the signal ends the wait: a hint, polling stays the truth. */
  abstract grown(after: number, signal: AbortSignal): Promise<void>;
  abstract loadSnapshot(stream: string): Promise<Snapshot | null>;
  abstract saveSnapshot(stream: string, snapshot: Snapshot): Promise<void>;
  abstract close(): Promise<void>;
}

/** All commits of a stream after a version, a bounded page at a time. The event loop is free between pages. */
export async function* commitsOf(store: Pick<EventStore, 'read'>, stream: string, after = 0): AsyncGenerator<Commit> {
  for (let version = after; ;) {
    const page = await store.read(stream, version);
    yield* page;
    if (page.length === 0) return;
    version = page.at(-1)!.version;
    await setImmediate();
  }
}
