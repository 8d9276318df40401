import { BadCursor, NoSuchIndex } from './errors.ts';
import { type Cursor, type Page, PAGE_BYTES, type Query } from './read-models.ts';
import type { Row, Scalar, Table } from './table.ts';

/**
 * One stretch of an index, in the index's order: the leading fields equal `equal`, and the next field (or the key, if `equal` contains all
 * fields) is within `range`.
 */
export interface Stretch {
  readonly equal: readonly Scalar[];
  readonly range?: Range;
}

export interface Range {
  /** Only entries after this one, in the direction of the query. */
  readonly beyond?: Scalar;
  readonly from?: NonNullable<Scalar>;
  readonly to?: NonNullable<Scalar>;
  /** True if only values of one type match, because the query has bounds. */
  readonly type?: 'number' | 'string' | 'boolean';
}

/** A query as stretches of an index. Read in this order, they give the result without sorting. */
export interface Plan {
  readonly fields: readonly string[];
  readonly descending: boolean;
  readonly limit: number;
  readonly bytes: number;
  readonly stretches: readonly Stretch[];
}

export function plan(table: Table, query: Query): Plan {
  const { where = {}, from, to, after } = query;
  const fields = query.index === 'key' ? [] : Object.hasOwn(table.indexes, query.index) ? table.indexes[query.index]! : null;
  const refuse = (why: string) => new NoSuchIndex(table.name, query.index, why);
  if (!fields) throw refuse('it is not declared');
  if (!Number.isSafeInteger(query.limit) || query.limit < 1) throw refuse(`a page has at least one row, not ${query.limit}`);
  const fixed = Object.keys(where).length;
  const prefix = fields.slice(0, fixed).map((field) => {
    const value = Object.hasOwn(where, field) ? where[field] : undefined;
    if (!isScalar(value)) throw refuse(`where must fix its leading fields, ${fields.slice(0, fixed).join(' and ')}, by scalars`);
    return value;
  });
  if (fixed > fields.length) throw refuse(`it has only ${fields.length} fields`);
  const descending = query.order === 'desc';
  let bounds: Range = {};
  if (from !== undefined || to !== undefined) {
    for (const bound of [from, to]) if (bound === null || (bound !== undefined && !isScalar(bound))) throw refuse('a bound is a scalar');
    if (fixed === fields.length && typeof (from ?? to) !== 'string') throw refuse('its bounds are on the key, which is a string');
    if (from !== undefined && to !== undefined && typeof from !== typeof to) throw refuse('its bounds are of different types');
    bounds = { type: typeof (from ?? to) as Range['type'], ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  }
  const stretches = after ? afterCursor(after, prefix, fields.length, descending, bounds) : [{ equal: prefix, range: bounds }];
  return { fields, descending, limit: query.limit, bytes: query.bytes ?? PAGE_BYTES, stretches };
}

/** The stretches after a row: first the rows that share all of its values, then those that share all but the last, and so on. */
function afterCursor(after: Cursor, prefix: readonly Scalar[], depth: number, descending: boolean, bounds: Range): Stretch[] {
  const key = Array.isArray(after) ? after[depth] : undefined;
  if (typeof key !== 'string' || after.length !== depth + 1 || !after.every(isScalar)) throw new BadCursor();
  if (prefix.some((value, place) => value !== after[place])) throw new BadCursor();
  if (bounds.type !== undefined && !isWithin(after[prefix.length]!, bounds)) throw new BadCursor();
  const isOnKey = depth === prefix.length && bounds.type !== undefined;
  const stretches: Stretch[] = [{ equal: after.slice(0, depth), range: isOnKey ? narrowed(bounds, key, descending) : { beyond: key } }];
  for (let place = depth - 1; place >= prefix.length; place -= 1) {
    const [equal, beyond] = [after.slice(0, place), after[place]!];
    const bounded = place === prefix.length && bounds.type !== undefined;
    // Null sorts below all other values. A range below a value leaves out null, so null needs its own stretch.
    if (beyond !== null || !descending) stretches.push({ equal, range: bounded ? narrowed(bounds, beyond, descending) : { beyond } });
    if (beyond !== null && descending && !bounded) stretches.push({ equal: [...equal, null] });
  }
  return stretches;
}

/**
 * At most one lower and one upper limit. If there were two on a side, a store might start at the outer one and read the rows of earlier
 * pages again.
 */
function narrowed({ from, to, type }: Range, beyond: Scalar, descending: boolean): Range {
  const other = descending ? from !== undefined && { from } : to !== undefined && { to };
  return { type: type!, beyond, ...other };
}

function isWithin(value: Scalar, { from, to, type }: Range): boolean {
  return typeof value === type && (from === undefined || compare(value!, from) >= 0) && (to === undefined || compare(value!, to) <= 0);
}

/** The order of two values of one type. Strings are compared by code point, like in both stores and unlike in JavaScript. */
export function compare(a: NonNullable<Scalar>, b: NonNullable<Scalar>): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Found {
  readonly key: string;
  readonly row: Row;
}

/** Collects rows until a page is full: when one row more than its limit was read, or when its bytes exceed the limit. */
export class PageOf {
  private readonly found: Found[] = [];
  private size = 0;

  constructor(private readonly planned: Plan) {}

  /** How many rows may still be read. */
  get rows(): number {
    return this.planned.limit + 1 - this.found.length;
  }

  get bytes(): number {
    return this.planned.bytes - this.size;
  }

  get isFull(): boolean {
    return this.rows <= 0 || this.bytes <= 0;
  }

  add(key: string, row: Row, size: number): void {
    this.found.push({ key, row });
    this.size += size;
  }

  end(): Page<Row> {
    const { fields, limit } = this.planned;
    const shown = this.found.slice(0, limit);
    const last = shown.at(-1);
    const values = (row: Row) => fields.map((field) => (row as Record<string, Scalar | undefined>)[field] ?? null);
    const next = last && this.isFull ? [...values(last.row), last.key] : null;
    return { rows: shown.map(({ row }) => row), keys: shown.map(({ key }) => key), next };
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
