import type { Transaction } from '@parlance/sqlite';
import { changed, check, checkIndexed } from '../changes.ts';
import type { Declared } from '../declared.ts';
import { ChangeRefused } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { Change, Row, RowChange, Table } from '../table.ts';
import { TableSql } from './table-sql.ts';

/** Primary result codes about a value: error, too big, constraint, mismatch. */
const REFUSED = new Set([1, 18, 19, 20]);

/** The tables of one version. */
export class Rows {
  private readonly tables = new Map<string, TableSql>();

  constructor(readonly declared: Declared) {}

  table(name: string): TableSql {
    let sql = this.tables.get(name);
    if (!sql) this.tables.set(name, (sql = new TableSql(name + this.declared.suffix)));
    return sql;
  }
}

interface Pending {
  readonly table: Table;
  readonly key: string;
  readonly row: Row | null;
  /** Fields to set in the stored row, which was not read. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Changes of one transaction. Rows are kept in memory until `flush`, so that one which changes many times is written once: most events of a
 * batch add to the same few sums.
 */
export class RowChanges {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly rows: Rows,
    private readonly transaction: Transaction,
  ) {}

  get size(): number {
    return this.pending.size;
  }

  /** Throws `ChangeRefused`. Nothing is written yet, but a change with others in it may be made in part. */
  make(change: Change): void {
    this.rows.declared.check(change);
    check(change);
    if (change.op !== 'first') this.change(change);
    else if (this.rowAt(change.table, change.key) === null) {
      this.change({ op: 'put', table: change.table, key: change.key, row: change.row });
      for (const one of change.changes) this.make(one);
    }
  }

  /** Throws `ChangeRefused`, or the error of a file that fails. Some rows may be written then. */
  flush(): void {
    for (const { table, key, row, fields } of this.pending.values()) {
      const sql = this.rows.table(table.name);
      try {
        if (fields) this.patch(sql, key, fields);
        else if (row) this.transaction.run(sql.put, key, JSON.stringify(row));
        else this.transaction.run(sql.remove, key);
      } catch (error) {
        const { errcode } = error as { errcode?: number };
        if (errcode !== undefined && !REFUSED.has(errcode & 0xff)) throw error;
        throw new ChangeRefused(table.name, key, reasonOf(error), { cause: error });
      }
    }
    this.pending.clear();
  }

  private change(change: RowChange): void {
    const { op, table, key } = change;
    const place = `${table.name}/${key}`;
    const pending = this.pending.get(place);
    if (op === 'patch' && (!pending || pending.fields)) {
      // In the store, which is cheaper than to read the row.
      this.pending.set(place, { table, key, row: null, fields: { ...pending?.fields, ...change.fields } });
      return;
    }
    const row = changed(op === 'put' || op === 'remove' ? null : this.rowAt(table, key), change);
    if (op === 'update' && row) checkIndexed(table, key, row);
    this.pending.set(place, { table, key, row });
  }

  /** The row as it is now. */
  private rowAt(table: Table, key: string): Row | null {
    const pending = this.pending.get(`${table.name}/${key}`);
    if (pending && !pending.fields) return pending.row;
    const stored = this.transaction.get<{ row: string }>(this.rows.table(table.name).get, key);
    return stored ? { ...(JSON.parse(stored.row) as Row), ...pending?.fields } : null;
  }

  private patch(sql: TableSql, key: string, fields: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(fields);
    if (names.length > 0) this.transaction.run(sql.patch(names), ...names.map((name) => JSON.stringify(fields[name])), key);
  }
}
