import type { Builds, Build } from './builds.ts';

/** What every row is: plain JSON, found by its key. The row is what a query answers with. */
export type Row = object;
export type Scalar = string | number | boolean | null;

declare const rowOf: unique symbol;

/**
 * A kind of rows. Indexes name top-level fields; a query may fix a prefix of them and sort or range over the next.
 * Declared, because a query without its index is refused, in both stores alike. The index `key`, of no fields, every table has.
 *
 * Values of an indexed field are scalars. They sort null (or absent) < numbers < strings by code point < false < true.
 */
export interface Table<R extends Row = Row> {
  readonly name: string;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Never there: it carries the type of the rows. */
  readonly [rowOf]?: R;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** A field that is patched, added to or indexed. Others, and the keys of maps inside rows, may be anything. */
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function isField(name: string): boolean {
  return FIELD.test(name) && !(name in Object.prototype);
}

/** Throws a TypeError for a name or an indexed field that isn't a plain word. */
export function table<R extends Row>(name: string, indexes: Readonly<Record<string, readonly (keyof R & string)[]>> = {}): Table<R> {
  if (!NAME.test(name)) throw new TypeError(`${name} can't name a table`);
  for (const [index, fields] of Object.entries(indexes)) {
    if (index === 'key' || !NAME.test(index)) throw new TypeError(`${index} can't name an index of ${name}`);
    const wrong = fields.find((field) => !isField(field));
    if (wrong !== undefined || fields.length === 0) throw new TypeError(`index ${index} of ${name} can't be on ${wrong ?? 'nothing'}`);
  }
  return { name, indexes };
}

/** One change to one row: a value, so that it can be written down in a test. */
export type Change =
  | { readonly op: 'put'; readonly table: Table; readonly key: string; readonly row: Row }
  /** Sets some fields of a row that is there; does nothing where there is none. */
  | { readonly op: 'patch'; readonly table: Table; readonly key: string; readonly fields: Readonly<Record<string, unknown>> }
  /** Adds whole numbers to fields, atomically; a row that isn't there begins as `start` with those fields at 0. */
  | {
      readonly op: 'add';
      readonly table: Table;
      readonly key: string;
      readonly amounts: Readonly<Record<string, number>>;
      readonly start: Row;
    }
  | { readonly op: 'remove'; readonly table: Table; readonly key: string }
  /** What the row becomes, given what it is: null for no row. Pure, since it may run more than once. */
  | { readonly op: 'update'; readonly table: Table; readonly key: string; readonly change: (row: Row | null) => Row | null };

export interface Query {
  readonly index: string;
  /** Values of the index's leading fields, all of them equal. */
  readonly where?: Readonly<Record<string, Scalar>>;
  /** Bounds (inclusive) on the field after those, or on the key when all fields are fixed. Only values of the bound's own type lie within it. */
  readonly from?: NonNullable<Scalar>;
  readonly to?: NonNullable<Scalar>;
  readonly order?: 'asc' | 'desc';
  readonly limit: number;
  /** The page ends with the row that passes this size, so a page has at least one row if there is one. Without it, the limit alone counts. */
  readonly bytes?: number;
  /** As the previous page gave it. */
  readonly after?: Cursor;
}

/** Where a page ended: the index's values and the key of its last row. */
export type Cursor = readonly Scalar[];

export interface Page<R> {
  readonly rows: readonly R[];
  /** Of the rows, in the same order. */
  readonly keys: readonly string[];
  readonly next: Cursor | null;
}

/** What one step of a projection writes: all of it or none, together with the mark that says how far it has read. */
export interface Batch {
  readonly projection: string;
  /** For projections of the service's own log: moves the checkpoint, and only from where it is thought to be. */
  readonly checkpoint?: { readonly from: number; readonly to: number };
  /** For projections of other services' events: the ids of those in this batch. Ones seen before make the batch a repeat. */
  readonly seen?: readonly string[];
  readonly changes: readonly Change[];
}

/** The tables of one projection and the version of the functions that fill them. A table belongs to one projection. */
export interface TableOwner {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly Table[];
}

export function checkOwner({ name, version, tables }: TableOwner): void {
  if (!NAME.test(name)) throw new TypeError(`${name} can't name a projection`);
  if (!Number.isSafeInteger(version) || version < 1) throw new TypeError(`the version of ${name} is a whole number from 1, not ${version}`);
  if (new Set(tables.map((one) => one.name)).size !== tables.length) throw new TypeError(`${name} has two tables of one name`);
}

/**
 * Keyed rows with declared indexes. Queries and batches name logical tables and go to the projection's living generation;
 * `at` gives the same on another one.
 */
export abstract class ReadModels {
  abstract readonly builds: Builds;
  /**
   * Makes tables and indexes that aren't there yet in the living generation, and a first generation for a projection that
   * was never seen. To be called before anything else that names these tables.
   */
  abstract prepare(owners: readonly TableOwner[]): Promise<void>;
  abstract get<R extends Row>(table: Table<R>, key: string): Promise<R | null>;
  abstract getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>>;
  /** Rejects with `NoSuchIndex` for a query that its index can't answer, with `BadCursor` for a cursor of another query. */
  abstract find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>>;
  /**
   * Answers false, having written nothing, when one of `seen` had been seen before. Rejects with `CheckpointMoved`, `Held` or
   * `ChangeRefused`, having written nothing.
   */
  abstract apply(batch: Batch): Promise<boolean>;
  /** Those of some foreign event ids that the projection has not seen. */
  abstract unseen(projection: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Forgets the foreign events seen before a time (ms); answers how many. One delivered again after that has effect again. */
  abstract pruneSeen(before: number): Promise<number>;
  abstract checkpoint(projection: string): Promise<number>;
  /** Queries and batches on one generation; its `apply` rejects with `CheckpointMoved` once that is gone. */
  abstract at(build: Build): ReadModels;
  abstract close(): Promise<void>;
}
