import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@parlance/decider';
import type { Append, Appended, Earlier } from './append.ts';

/** An event: a type in the past tense and plain JSON. */
export interface StoredEvent {
  readonly type: string;
}

/** The actor, time and request of an append. Stored once per commit, next to its events. */
export interface Metadata {
  readonly at: Instant;
  readonly actor: string | null;
  /** The ID of the personal access token with which the actor made the request; absent for a session. */
  readonly token?: string;
  /** If the actor is a user, `ip` and `userAgent` are sealed under the user's key. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly correlationId: string;
  /** The event or command that led to this one. */
  readonly causationId: string | null;
  /** W3C trace context, so that a consumer's span is a child of the request's span. */
  readonly traceparent?: string;
}

export interface RecordedEvent<Event extends StoredEvent = StoredEvent> {
  /** A ULID, by which consumers recognise a repeated delivery. */
  readonly id: string;
  /** Version of the event type's schema when the event was written. Upcasters upgrade older events to the current version. */
  readonly schema: number;
  readonly event: Event;
}

/** One append. Its events are stored atomically and share a position in the log. */
export interface Commit<Event extends StoredEvent = StoredEvent> {
  /** Position in this service's log: 1, 2, 3 …, without gaps. In `read`, 0 while the commit has no position yet; see `positionOf`. */
  readonly position: number;
  readonly stream: string;
  /** The stream's version after this append: the number of its appends. */
  readonly version: number;
  readonly events: readonly RecordedEvent<Event>[];
  readonly metadata: Metadata;
}

/** Commits of a stream, oldest first. */
export interface Page {
  readonly commits: readonly Commit[];
  /** False when the stream had no further commit. True when a limit ended the page. */
  readonly more: boolean;
}

/** The default for the maximum number of commits that one read returns. */
export const READ_COMMITS = 500;
/** The default for the bytes of events after which a read stops. A single commit may exceed it. */
export const READ_BYTES = 1024 * 1024;

export interface Snapshot<State = unknown> {
  readonly version: number;
  /** Identifies the type of the state. Snapshots of different shapes are stored side by side, for releases that run at the same time. */
  readonly shape: string;
  readonly state: State;
}

/** When a snapshot is saved, snapshots of other shapes that are this many versions older are deleted. */
export const SHAPES_KEPT_FOR = 1_000;

/** Thrown by `append`, and by a waiting `positionOf`, after the store was closed. */
export class StoreClosed extends Error {
  constructor() {
    super('the event store is closed');
    this.name = 'StoreClosed';
  }
}

/**
 * The log of one service. An append is durable when its promise resolves. Positions have no gaps, so a reader that has read up to p has missed
 * nothing before p. Within a stream, the order of the log is the order of the stream.
 */
export abstract class EventStore {
  /** True if an append can have `companions`, as on SQLite. */
  abstract readonly joinsCompanions: boolean;
  /**
   * Throws `VersionConflict`, `StoreClosed`, the refusal `commit_too_large` (too_large) above `MAX_COMMIT_BYTES`, and the errors of companions. In all
   * these cases nothing is written.
   */
  abstract append(append: Append): Promise<Appended>;
  /** How long (ms) appends wait because there are too many. 0 for a store without a queue in this process. Takes constant time. */
  writesWait(): number {
    return 0;
  }
  /** Returns the names that appends have used. Names are deleted some time after their commits; see `pruneOnce`. */
  abstract earlier(names: readonly string[]): Promise<readonly Earlier[]>;
  /** Deletes the `once` names of commits before a position, a bounded number per call. Resolves with false if none is left. */
  abstract pruneOnce(before: number): Promise<boolean>;
  /**
   * The next commits of a stream after a version, oldest first. Stops after the commit that exceeds a limit, so it returns at least one commit if there
   * is one. `commitsOf` reads all of them, page by page.
   */
  abstract read(stream: string, after?: number, commits?: number, bytes?: number): Promise<Page>;
  /** The next commits of the whole log after a position, oldest first. Limited like `read`. */
  abstract readAll(after: number, commits: number, bytes?: number): Promise<readonly Commit[]>;
  /** The position of the newest commit that `readAll` can return. */
  abstract head(): Promise<number>;
  /**
   * The log position of a stream's version. Resolves when `readAll` returns the commit, so it waits for a version that does not exist yet. Version 0 has
   * position 0.
   */
  abstract positionOf(stream: string, version: number): Promise<number>;
  /** Resolves when the log may have grown past a position, or when the signal ends the wait. It is only a hint: read to be certain. */
  abstract grown(after: number, signal: AbortSignal): Promise<void>;
  /** Whether `grown` notices appends of other processes at once, now. */
  noticesAtOnce(): boolean {
    return false;
  }
  /** The end of the log as this process has noticed it, without a command to the database. Null if it does not notice appends at once. */
  noticedHead(): number | null {
    return null;
  }
  /** When this process last noticed that the log has grown (ms, steady clock). */
  grewAt(): number {
    return Infinity;
  }
  /** The newest snapshot of a stream that has this shape. */
  abstract loadSnapshot(stream: string, shape: string): Promise<Snapshot | null>;
  /** Does nothing if a newer snapshot of the same shape is stored. */
  abstract saveSnapshot(stream: string, snapshot: Snapshot): Promise<void>;
  abstract close(): Promise<void>;
}

/** All commits of a stream after a version, a bounded page at a time. The event loop is free between pages. */
export async function* commitsOf(store: Pick<EventStore, 'read'>, stream: string, after = 0): AsyncGenerator<Commit> {
  for (let version = after; ;) {
    const { commits, more } = await store.read(stream, version);
    yield* commits;
    if (!more || commits.length === 0) return;
    version = commits.at(-1)!.version;
    await setImmediate();
  }
}
