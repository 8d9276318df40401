import { ChangeRefused } from './errors.ts';
import { type Change, isField, type Row, type Table } from './read-models.ts';

type NumberFields<R> = { readonly [F in keyof R as R[F] extends number ? F : never]?: number };

export function put<R extends Row>(table: Table<R>, key: string, row: R): Change {
  return { op: 'put', table, key, row };
}

/** Sets fields of a row that is there. Fields given as undefined stay as they are. */
export function patch<R extends Row>(table: Table<R>, key: string, fields: Partial<R>): Change {
  return { op: 'patch', table, key, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Adds whole numbers to fields; where there is no row it begins as `start` with those fields at 0. */
export function add<R extends Row, A extends NumberFields<R>>(table: Table<R>, key: string, amounts: A, start: Omit<R, keyof A>): Change {
  return { op: 'add', table, key, amounts: amounts as Readonly<Record<string, number>>, start };
}

export function remove(table: Table, key: string): Change {
  return { op: 'remove', table, key };
}

/** What the row becomes, given what it is. Dearer than the others, since the row must be read first. */
export function update<R extends Row>(table: Table<R>, key: string, change: (row: R | null) => R | null): Change {
  return { op: 'update', table, key, change: change as (row: Row | null) => Row | null };
}

/** What a store is given to do for one row. */
export type Write = Exclude<Change, { op: 'update' }>;

/** Changes to one row that mean something only together with what it is now. */
export interface Open {
  readonly table: Table;
  readonly key: string;
  readonly changes: Change[];
}

export interface Gathered {
  /** At most one for each row, and none for the rows of `open`: their order is of no importance. */
  readonly writes: readonly Write[];
  readonly open: readonly Open[];
}

/** Brings the changes of a batch down to one for each row, so that a store never meets a row twice in one transaction. */
export function gather(changes: readonly Change[]): Gathered {
  const tables = new Map<string, Map<string, Write | Open>>();
  for (const change of changes) {
    check(change);
    if (change.op === 'patch' && Object.keys(change.fields).length === 0) continue;
    let rows = tables.get(change.table.name);
    if (!rows) tables.set(change.table.name, (rows = new Map()));
    const before = rows.get(change.key);
    const after = before ? joined(before, change) : first(change);
    if (after !== before) rows.set(change.key, after);
  }
  const writes: Write[] = [];
  const open: Open[] = [];
  for (const rows of tables.values()) {
    for (const one of rows.values()) {
      if (!('op' in one)) open.push(one);
      else {
        if (one.op === 'put') checkIndexed(one.table, one.key, one.row);
        writes.push(one);
      }
    }
  }
  return { writes, open };
}

/** The row after a change, null for none. */
export function changed(row: Row | null, change: Change): Row | null {
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

/** What the open changes of a row come to; null when it stays as it is not. */
export function closed({ table, key, changes }: Open, row: Row | null): Write | null {
  const after = changes.reduce(changed, row);
  if (after === null) return row === null ? null : { op: 'remove', table, key };
  checkIndexed(table, key, after);
  return { op: 'put', table, key, row: after };
}

function first(change: Change): Write | Open {
  return change.op === 'update' ? { table: change.table, key: change.key, changes: [change] } : change;
}

function joined(before: Write | Open, change: Change): Write | Open {
  const { table, key } = change;
  if (change.op === 'put' || change.op === 'remove') return change;
  if (!('op' in before)) {
    before.changes.push(change);
    return before;
  }
  if (before.op === 'put' || before.op === 'remove') {
    const row = changed(before.op === 'put' ? before.row : null, change);
    return row ? { op: 'put', table, key, row } : { op: 'remove', table, key };
  }
  if (before.op === 'patch' && change.op === 'patch') return { ...before, fields: { ...before.fields, ...change.fields } };
  if (before.op === 'add' && change.op === 'add' && sameFields(before.amounts, change.amounts)) {
    return { ...before, amounts: added(before.amounts, change) as Record<string, number> };
  }
  return { table, key, changes: [before, change] };
}

function updated(row: Row | null, { table, key, change }: Change & { op: 'update' }): Row | null {
  try {
    return change(row);
  } catch (cause) {
    throw new ChangeRefused(table.name, key, `its update threw ${cause}`, { cause });
  }
}

function sameFields(some: object, others: object): boolean {
  const names = Object.keys(some);
  return names.length === Object.keys(others).length && names.every((name) => Object.hasOwn(others, name));
}

function added(row: Row | null, { table, key, amounts, start }: Change & { op: 'add' }): Row {
  const sums: Record<string, unknown> = { ...(row ?? start) };
  for (const [field, amount] of Object.entries(amounts)) {
    const present = row && sums[field] !== undefined ? sums[field] : 0;
    const sum = typeof present === 'number' ? present + amount : NaN;
    if (!Number.isSafeInteger(sum)) throw notExact(table, key, field);
    sums[field] = sum;
  }
  return sums;
}

export function notExact(table: Table, key: string, field: string): ChangeRefused {
  return new ChangeRefused(table.name, key, `${field} holds no whole number, or the sum would not be exact`);
}

function check(change: Change): void {
  const { table, key } = change;
  if (change.op === 'patch') checkIndexed(table, key, change.fields);
  if (change.op !== 'patch' && change.op !== 'add') return;
  if (change.op === 'add' && Object.keys(change.amounts).length === 0) throw new ChangeRefused(table.name, key, 'there is nothing to add');
  for (const [field, value] of Object.entries(change.op === 'add' ? change.amounts : change.fields)) {
    if (!isField(field)) throw new ChangeRefused(table.name, key, `${field} can't be the name of a field that changes by itself`);
    // Sums of fractions depend on their order, so that a rebuilt row would differ from the living one.
    if (change.op === 'add' && !Number.isSafeInteger(value)) throw new ChangeRefused(table.name, key, `${field} can't grow by ${value}`);
  }
}

function checkIndexed(table: Table, key: string, row: Row): void {
  for (const name in table.indexes) {
    for (const field of table.indexes[name]!) {
      const value = (row as Record<string, unknown>)[field];
      if (typeof value === 'object' && value !== null) throw new ChangeRefused(table.name, key, `${field} is indexed and no scalar`);
    }
  }
}
