import { refuse } from '@parlance/decider';
import type { Transaction } from '@parlance/sqlite';
import type { Metadata, RecordedEvent, StoredEvent } from './event-store.ts';

/** A write of another store in the same SQLite file, in the append's transaction. If it throws, the append is rolled back. */
export type Companion = (transaction: Transaction) => void;

export interface Append {
  readonly stream: string;
  /** The version that the decision was based on: 0 for a stream that does not exist yet. */
  readonly expected: number;
  readonly events: readonly StoredEvent[];
  readonly metadata: Metadata;
  /**
   * Names of effects that may happen only once. If the log already contains one of these names, the append is not written. The check is part of the
   * same write. Policies use this to recognise repeated deliveries.
   */
  readonly once?: string | readonly string[];
  /** Only for stores with `joinsCompanions`. They run if the append is written, before its events. */
  readonly companions?: readonly Companion[];
}

/** A name of `Append.once` that is already in the log, and the commit that used it. */
export interface Earlier {
  readonly name: string;
  readonly stream: string;
  readonly version: number;
  /** 0 while the commit has no position yet. */
  readonly position: number;
}

export interface Appended {
  /** Position of the commit in the log; 0 if the store assigns positions later. */
  readonly position: number;
  /** Stream version after the append. If `written` is false, `version` and `position` are those of the first commit in `earlier`. */
  readonly version: number;
  /** False if a name of `once` had been used before. In that case nothing was written. */
  readonly written: boolean;
  readonly events: readonly RecordedEvent[];
  /** The names of `once` that had been used before. Names that are not listed here are still unused. */
  readonly earlier: readonly Earlier[];
}

/** The maximum number of bytes of one commit's events, as JSON. MongoDB's limit for a document is four times as large. */
export const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

/** Thrown by `append` if the stream is not at the version that the decision was based on. */
export class VersionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: number,
  ) {
    super(`${stream} is not at version ${expected}`);
    this.name = 'VersionConflict';
  }
}

/** Thrown by `append` if the database was sent the append and has not confirmed it, so that it may or may not have been written. */
export class WriteUnconfirmed extends Error {
  constructor(cause: unknown) {
    super('a write was sent and not confirmed', { cause });
    this.name = 'WriteUnconfirmed';
  }
}

/** Checks the arguments, for every adapter. Throws a `RangeError` for a programming error. */
export function checkAppend({ stream, expected, events, companions = [] }: Append, joinsCompanions: boolean): void {
  if (events.length === 0) throw new RangeError(`an append to ${stream} has no events`);
  if (!Number.isSafeInteger(expected) || expected < 0) throw new RangeError(`an append to ${stream} expects version ${expected}`);
  if (companions.length > 0 && !joinsCompanions) throw new RangeError('this store cannot write companions with an append');
}

/** The stored text of a commit's events. Throws the refusal `commit_too_large` (too_large). */
export function textOf(events: readonly RecordedEvent[]): string {
  const text = JSON.stringify(events);
  // A UTF-16 unit has at most three bytes, so the bytes of short texts need not be counted.
  const bytes = text.length * 3 > MAX_COMMIT_BYTES ? Buffer.byteLength(text) : 0;
  if (bytes > MAX_COMMIT_BYTES) {
    throw refuse('too_large', 'commit_too_large', `A change has at most ${MAX_COMMIT_BYTES} bytes. This one has ${bytes}.`);
  }
  return text;
}

/** The distinct names of an append. */
export function namesOf(once: Append['once']): readonly string[] {
  if (once === undefined) return [];
  return typeof once === 'string' ? [once] : [...new Set(once)];
}
