/** A row: plain JSON, found by its key. Queries return it as it is. */
export type Row = object;
export type Scalar = string | number | boolean | null;

declare const rowOf: unique symbol;

/**
 * A kind of rows. Indexes name top-level fields. A query may fix a prefix of them and sort or range over the next. A query without
 * a declared index is refused in both stores. Every table has the index `key`, which has no fields.
 *
 * Values of an indexed field are scalars. They sort null (or absent) < numbers < strings by code point < false < true.
 */
export interface Table<R extends Row = Row> {
  readonly name: string;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Never set. It carries the type of the rows. */
  readonly [rowOf]?: R;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** A field that is patched, added to or indexed. Other fields, and the keys of maps inside rows, may have any name. */
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

/** The results of the functions of the same names in `changes.ts`. They are plain values, so that a test can compare them. */
export type Change = RowChange | First;

export interface First {
  readonly op: 'first';
  readonly table: Table;
  readonly key: string;
  readonly row: Row;
  readonly changes: readonly RowChange[];
}

/** One change to one row. */
export type RowChange =
  | { readonly op: 'put'; readonly table: Table; readonly key: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: Table; readonly key: string; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly op: 'add';
      readonly table: Table;
      readonly key: string;
      readonly amounts: Readonly<Record<string, number>>;
      readonly start: Row;
    }
  | { readonly op: 'remove'; readonly table: Table; readonly key: string }
  | { readonly op: 'update'; readonly table: Table; readonly key: string; readonly change: (row: Row | null) => Row | null };

/** The tables of one projection and the version of the functions that fill them. A table belongs to one projection. */
export interface TableOwner {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly Table[];
}

export function checkOwner({ name, version, tables }: TableOwner): void {
  if (!NAME.test(name)) throw new TypeError(`${name} can't name a projection`);
  if (!Number.isSafeInteger(version) || version < 1) throw new TypeError(`the version of ${name} is a whole number from 1, not ${version}`);
  if (new Set(tables.map((one) => one.name)).size !== tables.length) throw new TypeError(`${name} has two tables with the same name`);
}
