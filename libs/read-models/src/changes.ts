import { ChangeRefused } from './errors.ts';
import { type Change, isField, type Row, type RowChange, type Table } from './table.ts';

type NumberFields<R> = { readonly [F in keyof R as NonNullable<R[F]> extends number ? F : never]?: number };

export function put<R extends Row>(table: Table<R>, key: string, row: R): RowChange {
  return { op: 'put', table, key, row };
}

/** Sets fields of a row. Does nothing if the row does not exist. Fields given as undefined do not change. */
export function patch<R extends Row>(table: Table<R>, key: string, fields: Partial<R>): RowChange {
  return { op: 'patch', table, key, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Adds whole numbers to fields. A missing row begins as `start` with those fields at 0. */
export function add<R extends Row, A extends NumberFields<R>>(
  table: Table<R>,
  key: string,
  amounts: A,
  start: Omit<R, keyof A>,
): RowChange {
  return { op: 'add', table, key, amounts: amounts as Readonly<Record<string, number>>, start };
}

export function remove(table: Table, key: string): RowChange {
  return { op: 'remove', table, key };
}

/** Computes the row from its current value; null means no row. The function must be pure, because it may run more than once. */
export function update<R extends Row>(table: Table<R>, key: string, change: (row: R | null) => R | null): RowChange {
  return { op: 'update', table, key, change: change as (row: Row | null) => Row | null };
}

/** Puts a row and makes further changes, unless the row already exists. It is used to count distinct items. */
export function first<R extends Row>(table: Table<R>, key: string, row: R, changes: readonly Change[]): Change {
  return { op: 'first', table, key, row, changes: changes.map(single) };
}

function single(change: Change): RowChange {
  if (change.op === 'first') throw new TypeError(`a change that is made once can't be part of another: ${change.table.name}/${change.key}`);
  return change;
}

/** The resulting changes, given the rows that each `first` names. For a store that cannot read these rows while it writes. */
export function resolved(changes: readonly Change[], rowAt: (table: Table, key: string) => Row | null): RowChange[] {
  const named = new Map<string, Row | null>();
  for (const { op, table, key } of changes) if (op === 'first') named.set(placeOf(table, key), rowAt(table, key));
  const all: RowChange[] = [];
  const make = (change: RowChange) => {
    all.push(change);
    const place = placeOf(change.table, change.key);
    const row = named.get(place);
    if (row !== undefined) named.set(place, changed(row, change));
  };
  for (const change of changes) {
    if (change.op !== 'first') make(change);
    else if (named.get(placeOf(change.table, change.key)) === null) {
      make({ op: 'put', table: change.table, key: change.key, row: change.row });
      for (const one of change.changes) make(one);
    }
  }
  return all;
}

const placeOf = (table: Table, key: string) => `${table.name}/${key}`;

/** The row after a change, null for none. */
export function changed(row: Row | null, change: RowChange): Row | null {
  switch (change.op) {
    case 'put':
      return change.row;
    case 'remove':
      return null;
    case 'patch':
      return row && { ...row, ...change.fields };
    case 'add':
      return added(row, change);
    case 'update':
      return updated(row, change);
  }
}

function updated(row: Row | null, { table, key, change }: RowChange & { op: 'update' }): Row | null {
  try {
    return change(row);
  } catch (cause) {
    throw new ChangeRefused(table.name, key, `its update threw ${cause}`, { cause });
  }
}

export function added(row: Row | null, { table, key, amounts, start }: RowChange & { op: 'add' }): Row {
  const sums: Record<string, unknown> = { ...(row ?? start) };
  for (const [field, amount] of Object.entries(amounts)) {
    const present = row && sums[field] !== undefined ? sums[field] : 0;
    const sum = typeof present === 'number' ? present + amount : NaN;
    if (!Number.isSafeInteger(sum)) throw notExact(table, key, field);
    sums[field] = sum;
  }
  return sums;
}

function notExact(table: Table, key: string, field: string): ChangeRefused {
  return new ChangeRefused(table.name, key, `${field} holds no whole number, or the sum would not be exact`);
}

/** Throws `ChangeRefused` for a change that is invalid for every row. */
export function check(change: Change): void {
  const { table, key } = change;
  if (change.op === 'patch') checkIndexed(table, key, change.fields);
  if (change.op === 'put' || change.op === 'first') checkIndexed(table, key, change.row);
  if (change.op === 'add') checkIndexed(table, key, change.start);
  if (change.op === 'first') change.changes.forEach(check);
  if (change.op !== 'patch' && change.op !== 'add') return;
  if (change.op === 'add' && Object.keys(change.amounts).length === 0) throw new ChangeRefused(table.name, key, 'there is nothing to add');
  for (const [field, value] of Object.entries(change.op === 'add' ? change.amounts : change.fields)) {
    if (!isField(field)) throw new ChangeRefused(table.name, key, `${field} can't be the name of a field that changes by itself`);
    // Sums of fractions depend on the order of addition, so a rebuilt row could differ.
    if (change.op === 'add' && !Number.isSafeInteger(value)) throw new ChangeRefused(table.name, key, `${field} can't grow by ${value}`);
  }
}

export function checkIndexed(table: Table, key: string, row: Row): void {
  for (const name in table.indexes) {
    for (const field of table.indexes[name]!) {
      const value = (row as Record<string, unknown>)[field];
      if (typeof value === 'object' && value !== null) throw new ChangeRefused(table.name, key, `${field} is indexed but not a scalar`);
    }
  }
}
