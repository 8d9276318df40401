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
const TYPES = ['number', 'string', 'boolean'];
const ALL_OF: Readonly<Record<string, Document>> = { number: { $gte: -Infinity }, string: { $gte: '' }, boolean: { $gte: false } };

export function filterOf({ fields, descending }: Plan, { equal, range = {} }: Stretch): Filter<RowDocument> {
  const conditions: Document[] = equal.map((value, place) => ({ [pathOf(fields[place]!)]: value }));
  const limited = equal.length === fields.length ? '_id' : pathOf(fields[equal.length]!);
  const limits = limitsOf(limited, range, descending);
  if (limits) conditions.push(limits);
  return conditions.length === 0 ? {} : { $and: conditions };
}

export function sortOf({ fields, descending }: Plan, { equal }: Stretch): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1;
  return Object.fromEntries([...fields.slice(equal.length).map(pathOf), '_id'].map((path) => [path, direction]));
}

function limitsOf(path: string, { beyond, from, to, type }: Range, descending: boolean): Document | null {
  const past = descending ? '$lt' : '$gt';
  const within = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
  if (beyond === undefined) return type ? { [path]: within } : null;
  if (beyond === null) return { [path]: { $ne: null } };
  if (type || path === '_id') return { [path]: { [past]: beyond, ...within } };
  return { $or: [{ [path]: { [past]: beyond } }, ...typesPast(beyond, descending).map((one) => ({ [path]: ALL_OF[one]! }))] };
}

function typesPast(value: NonNullable<Scalar>, descending: boolean): string[] {
  const own = TYPES.indexOf(typeof value);
  return descending ? TYPES.slice(0, own) : TYPES.slice(own + 1);
}
