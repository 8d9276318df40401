import { randomInt } from 'node:crypto';
import type { Change, Row, Scalar, Table, TableOwner } from './table.ts';

/** Default for the bytes of rows after which `find` ends a page. One row may exceed it. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** Keys of one projection that may be set aside. With more than that it stops. */
export const MOST_PARKED = 1_000;

export interface Query {
  readonly index: string;
  /** Values of the index's leading fields, all of them equal. */
  readonly where?: Readonly<Record<string, Scalar>>;
  /** Bounds (inclusive) on the field after those, or on the key when all fields are fixed. Only values of the bound's own type lie within it. */
  readonly from?: NonNullable<Scalar>;
  readonly to?: NonNullable<Scalar>;
  readonly order?: 'asc' | 'desc';
  readonly limit: number;
  /** The page ends after the row that passes this size, `PAGE_BYTES` by default. */
  readonly bytes?: number;
  /** `next` of the previous page. */
  readonly after?: Cursor;
}

/** Where a page ended: the index's values and the key of its last row. */
export type Cursor = readonly Scalar[];

export interface Page<R> {
  readonly rows: readonly R[];
  /** The rows' keys, in the same order. */
  readonly keys: readonly string[];
  readonly next: Cursor | null;
}

/**
 * How far the rows of one version of a projection have come. A projection of other services' events has, once it is ready, one
 * more record for each partition that it reads (`line` is `topic/partition`); the main record's line is ''.
 */
export interface Progress {
  readonly projection: string;
  readonly line: string;
  /** Changes with each write of the record. `apply` compares it. */
  readonly revision: number;
  /** Everything up to here is in the rows. Its form belongs to the projector: a position, a sequence, or positions by source. */
  readonly at: string;
  /** The rows were complete once, so queries are answered from them. */
  readonly ready: boolean;
  /** SQLite only: appends write these rows themselves, so they include the whole log. */
  readonly live: boolean;
  /** Why the projection has stopped, if it has. */
  readonly stopped: string | null;
}

/** Starts at random, so that a record that was removed and created again never reaches a revision that a writer has read before. */
export function firstRevision(): number {
  return randomInt(2 ** 47);
}

/** The changes that advance the rows by one place. */
export interface Step {
  /** The place of the rows after this step. Absent if the step repeats earlier events. */
  readonly to?: string;
  readonly changes: readonly Change[];
  /** An event or commit that failed, or that comes after one of the same key that failed. */
  readonly park?: Parking;
  readonly unpark?: { readonly key: string; readonly number: number };
}

export interface Parking {
  readonly key: string;
  /** Orders the entries of a key. */
  readonly number: number;
  readonly reason: string;
  /** The event of another service. Commits of the own log are read again from there. */
  readonly letter?: unknown;
}

/** One write of a projection. */
export interface Batch {
  /** The record as its writer knows it. */
  readonly from: Progress;
  readonly steps: readonly Step[];
  /** The part of the log that has been read, from 0 to 1. The rows are ready from the first 1 on. */
  readonly reached?: number;
  /** The projection stops here, for this reason, and its rows are not live. Any other write clears the reason. */
  readonly stopped?: string;
  /** Makes the records of partitions, each at its place. */
  readonly lines?: Readonly<Record<string, string>>;
  /** If false, these rows are not live after this write. */
  readonly live?: false;
}

/** What was set aside of one key. */
export interface Parked {
  readonly line: string;
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly reason: string;
}

/**
 * One set of rows of a version. A rebuild makes the next one beside those in use. Each has tables and a record of progress of its own.
 */
export interface Generation {
  readonly number: number;
  readonly ready: boolean;
  /** When a process last declared it (ms). */
  readonly usedAt: number;
}

/**
 * Keyed rows with declared indexes. Each version of a projection has its own rows. A program names tables and projections without a
 * version, and gets the rows of the version that it declared in `prepare`.
 */
export abstract class ReadModels {
  /** Called when live rows are no longer live, because their projection failed in the transaction of an append. */
  onBehind: (projection: string) => void = () => undefined;
  /** Called by `prepare` when rows that the records mention are missing. They are rebuilt. */
  onLost: (projection: string) => void = () => undefined;
  /** The progress of building the rows, as known to this process, from 0 to 1 (ready). */
  abstract built(projection: string): number;
  /**
   * By projection: delivers events of other services that wait for later ones. A read of rows calls it first, and waits for what it returns.
   * Empty where rows are shared.
   */
  readonly putOff = new Map<string, () => Promise<void> | undefined>();
  /** Whether `apply` makes the rows of this projection live at the end of the log. */
  mayBeLive(_projection: string): boolean {
    return false;
  }
  /** Whether other processes may use the same rows. */
  abstract readonly isShared: boolean;
  /**
   * Makes the rows of these versions if they aren't there, and notes that they are used. Must be called before their tables are named. The
   * first call for a projection chooses the newest generation that is ready.
   */
  abstract prepare(owners: readonly TableOwner[]): Promise<void>;
  /** Rejects, as `getMany` and `find` do, with `ReadModelBuilding` until the rows are ready. */
  abstract get<R extends Row>(table: Table<R>, key: string): Promise<R | null>;
  abstract getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>>;
  /** Rejects with `NoSuchIndex` for a query that its index can't answer, with `BadCursor` for a cursor of another query. */
  abstract find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>>;
  /** Rejects with `NotPrepared` where there is no such record. */
  abstract progress(projection: string, line?: string): Promise<Progress>;
  /** The stored places of partitions, by `topic/partition`. */
  abstract lines(projection: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes steps and the record of progress in one transaction, and returns the new record. May stop after any step, so that a write
   * stays short. Rejects, having written nothing, with `CheckpointMoved` when the record has changed, or with `ChangeRefused`.
   */
  abstract apply(batch: Batch): Promise<Progress>;
  /** Keys that are set aside, at most `limit`; or the one that is given, in each of its lines. */
  abstract parked(projection: string, limit: number, key?: string): Promise<readonly Parked[]>;
  /** The events set aside of one key in their order, at most `limit`. */
  abstract letters(projection: string, entry: Pick<Parked, 'line' | 'key'>, limit: number): Promise<readonly Parking[]>;
  /** Removes the rows and all records of this version, in bounded steps. */
  abstract drop(projection: string): Promise<void>;
  /** Removes versions that no process has declared since a time (ms), and what older programs left, in bounded steps. Returns their names. */
  abstract sweep(before: number): Promise<readonly string[]>;
  /**
   * Removes the rows of a table whose keys sort before `key`, in bounded steps. Stops where the rows are not ready: a build from the
   * beginning needs all of them. Returns how many rows it removed.
   */
  abstract removeBefore(table: Table, key: string): Promise<number>;
  /** The generation of the rows that this object reads and writes. */
  abstract generation(projection: string): number;
  /** The stored generations of the declared version, oldest first, without those that are being removed. */
  abstract generations(projection: string): Promise<readonly Generation[]>;
  /** The same store with the rows of one generation, beside the rows in use. */
  abstract beside(generation: number): ReadModels;
  /** From now on this object reads and writes the rows of another generation. Other processes do so when they call it. */
  abstract adopt(projection: string, generation: number): Promise<void>;
  /** The same store with other rows, for building a second copy of a version. */
  abstract scratch(): ReadModels;
  abstract close(): Promise<void>;
}
