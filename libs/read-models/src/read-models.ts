import { randomInt } from 'node:crypto';
import type { Change, Row, Scalar, Table, TableOwner } from './table.ts';

/** Default for the bytes of rows after which `find` ends a page. One row may exceed it. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** The maximum number of keys of one projection that may be set aside. If there are more, the projection stops. */
export const MOST_PARKED = 1_000;

export interface Query {
  readonly index: string;
  /** Values of the index's leading fields, all of them equal. */
  readonly where?: Readonly<Record<string, Scalar>>;
  /** Inclusive bounds on the next field, or on the key if all fields are fixed. Only values of the same type as the bound match. */
  readonly from?: NonNullable<Scalar>;
  readonly to?: NonNullable<Scalar>;
  readonly order?: 'asc' | 'desc';
  readonly limit: number;
  /** The page ends after the row that exceeds this size. Default: `PAGE_BYTES`. */
  readonly bytes?: number;
  /** `next` of the previous page. */
  readonly after?: Cursor;
}

/** The end of a page: the index values and the key of its last row. */
export type Cursor = readonly Scalar[];

export interface Page<R> {
  readonly rows: readonly R[];
  /** The rows' keys, in the same order. */
  readonly keys: readonly string[];
  readonly next: Cursor | null;
}

/**
 * The progress of the rows of one version of a projection. Once a projection of other services' events is ready, it has another record for
 * each partition that it reads (`line` is `topic/partition`). The `line` of the main record is ''.
 */
export interface Progress {
  readonly projection: string;
  readonly line: string;
  /** Changes with each write of the record. `apply` compares it. */
  readonly revision: number;
  /** The rows include everything up to this point. The projector determines its form: a position, a sequence, or positions by source. */
  readonly at: string;
  /** The rows were complete once, so queries are answered from them. */
  readonly ready: boolean;
  /** SQLite only: appends write these rows in their own transaction, so the rows include the whole log. */
  readonly live: boolean;
  /** Why the projection has stopped, if it has. */
  readonly stopped: string | null;
}

/** Starts at random, so that a record that was removed and created again never reaches a revision that a writer has read before. */
export function firstRevision(): number {
  return randomInt(2 ** 47);
}

/** The changes that advance the rows by one step. */
export interface Step {
  /** The position of the rows after this step. Absent if the step repeats earlier events. */
  readonly to?: string;
  readonly changes: readonly Change[];
  /** An event or commit that failed, or that follows a failed one of the same key. */
  readonly park?: Parking;
  readonly unpark?: { readonly key: string; readonly number: number };
}

export interface Parking {
  readonly key: string;
  /** Orders the entries of a key. */
  readonly number: number;
  readonly reason: string;
  /** The event, if it is from another service. Commits of the service's own log are read from the log again. */
  readonly letter?: unknown;
}

/** One write of a projection. */
export interface Batch {
  /** The record as its writer last read it. */
  readonly from: Progress;
  readonly steps: readonly Step[];
  /** The share of the log that has been read, from 0 to 1. The rows are ready when it is 1 for the first time. */
  readonly reached?: number;
  /** The projection stops here, for this reason, and its rows are not live. Any other write clears the reason. */
  readonly stopped?: string;
  /** Creates the records of partitions with these positions. */
  readonly lines?: Readonly<Record<string, string>>;
  /** If false, these rows are not live after this write. */
  readonly live?: false;
}

/** The events of one key that were set aside. */
export interface Parked {
  readonly line: string;
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly reason: string;
}

/** One set of rows of a version, with its own tables and progress record. A rebuild creates the next generation beside the rows in use. */
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
   * By projection: a function that delivers the events of other services that wait for later ones. A read of rows calls it first and waits
   * for its result. Empty if rows are shared.
   */
  readonly pendingFlushes = new Map<string, () => Promise<void> | undefined>();
  /** Whether `apply` makes the rows of this projection live at the end of the log. */
  mayBeLive(_projection: string): boolean {
    return false;
  }
  /** Whether other processes may use the same rows. */
  abstract readonly isShared: boolean;
  /**
   * Creates the rows of these versions if they do not exist, and records that they are in use. Must be called before their tables are
   * named. The first call for a projection chooses the newest generation that is ready.
   */
  abstract prepare(owners: readonly TableOwner[]): Promise<void>;
  /** Rejects, as `getMany` and `find` do, with `ReadModelBuilding` until the rows are ready. */
  abstract get<R extends Row>(table: Table<R>, key: string): Promise<R | null>;
  abstract getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>>;
  /** Rejects with `NoSuchIndex` for a query that its index cannot answer, and with `BadCursor` for a cursor of another query. */
  abstract find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>>;
  /** Rejects with `NotPrepared` if there is no such record. */
  abstract progress(projection: string, line?: string): Promise<Progress>;
  /** The stored positions of partitions, by `topic/partition`. */
  abstract lines(projection: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes steps and the record of progress in one transaction, and returns the new record. May stop after any step, so that a write
   * stays short. Rejects, having written nothing, with `CheckpointMoved` when the record has changed, or with `ChangeRefused`.
   */
  abstract apply(batch: Batch): Promise<Progress>;
  /** Keys that are set aside, at most `limit`. With `key`, only this key, in each of its lines. */
  abstract parked(projection: string, limit: number, key?: string): Promise<readonly Parked[]>;
  /** The events of one key that were set aside, in order, at most `limit`. */
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
  /** The same for rows whose first field of an index is a number that is not above `limit`. */
  abstract removeUpTo(table: Table, index: string, limit: number): Promise<number>;
  /** The generation of the rows that this object reads and writes. */
  abstract generation(projection: string): number;
  /** The stored generations of the declared version, oldest first, without those that are being removed. */
  abstract generations(projection: string): Promise<readonly Generation[]>;
  /** The same for all declared projections, by name, if one read is cheaper than several. */
  generationsOfAll?(): Promise<ReadonlyMap<string, readonly Generation[]>>;
  /** The same store with the rows of one generation, beside the rows in use. */
  abstract beside(generation: number): ReadModels;
  /** Makes this object read and write the rows of another generation from now on. Other processes switch when they call this themselves. */
  abstract adopt(projection: string, generation: number): Promise<void>;
  /** The same store with other rows, for building a second copy of a version. */
  abstract scratch(): ReadModels;
  abstract close(): Promise<void>;
}
