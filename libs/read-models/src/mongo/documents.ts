import type { Document, Filter } from 'mongodb';
import type { Plan, Range, Stretch } from '../query.ts';
import type { Row, Scalar } from '../table.ts';

export interface RowDocument {
  readonly _id: string;
  readonly r: Document;
}

/** Names that MongoDB would read as paths or operators, or cannot store, are written in another form that begins with `~`. */
const WRITTEN: Readonly<Record<string, string>> = { '~': '~0', '.': '~1', $: '~2', '\u0000': '~3' };
const READ: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(WRITTEN).map(([char, code]) => [code, char]));
const EMPTY = '~4';
/** Prefix for names that every JavaScript object has. The driver looks such names up in its options, and would return their values raw. */
const INHERITED = '~5';

function nameIn(name: string): string {
  if (name === '') return EMPTY;
  if (name in Object.prototype) return INHERITED + name;
  // oxlint-disable-next-line no-control-regex -- NUL can't be in a name
  return name.replace(/[~.$\u0000]/g, (char) => WRITTEN[char]!);
}

function nameOut(name: string): string {
  if (!name.includes('~')) return name;
  if (name === EMPTY) return '';
  return name.startsWith(INHERITED) ? name.slice(INHERITED.length) : name.replace(/~[0-3]/g, (code) => READ[code]!);
}

/** A JSON value in a form that MongoDB can store with any keys. Values that JSON leaves out are left out. */
export function encode(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => (one === undefined ? null : encode(one)));
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [nameIn(name), encode(one)]));
}

export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [nameOut(name), decode(one)]));
}

export function documentOf(key: string, row: Row): RowDocument {
  return { _id: key, r: encode(row) as Document };
}

export function rowOf({ r }: RowDocument): Row {
  return decode(r) as Row;
}

export function pathOf(field: string): string {
  return `r.${field}`;
}

/** MongoDB compares values of one type only. These ranges cover each type that sorts above null, in order. */
const ALL_OF = { number: { $gte: -Infinity }, string: { $gte: '' }, boolean: { $gte: false } };
type Type = keyof typeof ALL_OF;
const TYPES = Object.keys(ALL_OF) as Type[];

/**
 * The parts of a stretch, in the order of the query. Some servers use an index only for a filter without `$and` and `$or` that has a lower limit, and
 * leave out the rows at an inclusive upper limit.
 */
export function filtersOf({ fields, descending }: Plan, { equal, range = {} }: Stretch): Filter<RowDocument>[] {
  const fixed = Object.fromEntries(equal.map((value, place) => [pathOf(fields[place]!), value]));
  const limited = equal.length === fields.length ? '_id' : pathOf(fields[equal.length]!);
  return limitsOf(range, limited === '_id', descending).map((limits) => (limits ? { ...fixed, [limited]: limits } : fixed));
}

export function sortOf({ fields, descending }: Plan, { equal }: Stretch): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1;
  return Object.fromEntries([...fields.slice(equal.length).map(pathOf), '_id'].map((path) => [path, direction]));
}

function limitsOf({ beyond, from, to, type }: Range, isKey: boolean, descending: boolean): (Document | null)[] {
  if (beyond === undefined && !type) return [null];
  if (beyond === null) return TYPES.map((each) => ALL_OF[each]);
  const own = type ?? (typeof beyond as Type);
  const past = beyond !== undefined && { [descending ? '$lt' : '$gt']: beyond };
  const lower = past && !descending ? {} : from === undefined ? ALL_OF[own] : { $gte: from };
  const limits = { ...lower, ...past, ...(to !== undefined && below(to)) };
  if (type || isKey) return [limits];
  return [limits, ...typesPast(own, descending).map((each) => ALL_OF[each])];
}

/** Values up to `limit`, written as those below the next value. */
function below(limit: NonNullable<Scalar>): Document {
  if (typeof limit === 'string') return { $lt: `${limit}\u0000` };
  if (typeof limit === 'boolean') return limit ? {} : { $lt: true };
  if (limit === 0) return { $lt: Number.MIN_VALUE };
  const next = new Float64Array([limit]);
  new BigInt64Array(next.buffer)[0]! += limit > 0 ? 1n : -1n;
  return { $lt: next[0]! };
}

function typesPast(type: Type, descending: boolean): Type[] {
  const place = TYPES.indexOf(type);
  return descending ? TYPES.slice(0, place).reverse() : TYPES.slice(place + 1);
}
