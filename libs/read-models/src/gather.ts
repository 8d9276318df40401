import { added, changed, check, checkIndexed } from './changes.ts';
import type { Change, Row, Table } from './table.ts';

/** One write to one row. */
export type Write = Exclude<Change, { op: 'update' }>;

/** Changes to one row that need its present value. */
export interface Open {
  readonly table: Table;
  readonly key: string;
  readonly changes: Change[];
}

export interface Gathered {
  /** At most one for each row, and none for the rows of `open`, so their order doesn't matter. */
  readonly writes: readonly Write[];
  readonly open: readonly Open[];
}

/** Brings the changes of a batch down to one for each row, so that a transaction writes no row twice. */
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

/** The write that open changes of a row amount to. Null when there is no row before and after. */
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

function sameFields(some: object, others: object): boolean {
  const names = Object.keys(some);
  return names.length === Object.keys(others).length && names.every((name) => Object.hasOwn(others, name));
}
