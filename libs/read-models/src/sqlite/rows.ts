import type { Transaction } from '@parlance/sqlite';
import { changed, check, checkIndexed } from '../changes.ts';
import type { Declared } from '../declared.ts';
import { ChangeRefused } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { Change, Row, RowChange, Table } from '../table.ts';
import { fieldsOf, indexedFields, type Statement, TableSql } from './table-sql.ts';

/** Primary result codes about a value: error, too big, constraint, mismatch. */
const REFUSED = new Set([1, 18, 19, 20]);

/** The tables of one version. */
export class Rows {
  private readonly tables = new Map<string, TableSql>();
  /** The time that writing one row takes, as measured. Starts with an estimate for a row with some indexes. */
  writeMs = 0.1;

  constructor(readonly declared: Declared) {}

  /** Known after `create`. */
  table(name: string): TableSql {
    return this.tables.get(name)!;
  }

  /** Creates missing tables. An existing table keeps its columns. */
  create(transaction: Transaction): void {
    for (const { name: short, indexes } of this.declared.owner.tables) {
      const name = short + this.declared.suffix;
      const columns = transaction.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name).map((column) => column.name);
      const sql = new TableSql(name, columns.length === 0 ? indexedFields(indexes) : fieldsOf(columns));
      for (const statement of sql.create(indexes)) transaction.run(statement);
      this.tables.set(short, sql);
    }
  }
}

interface Pending {
  readonly table: Table;
  readonly key: string;
  readonly row: Row | null;
  /** The row in the store. Absent if it was not read. */
  readonly stored?: Row | null;
  /** Fields to set in the stored row, which was not read. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Changes of one transaction. Rows are kept in memory until `flush`, so that a row that changes many times is written once: most events of a
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

  /** Throws `ChangeRefused`. Nothing is written yet, but a change that contains others may have been applied in part. */
  make(change: Change): void {
    this.rows.declared.check(change);
    check(change);
    if (change.op !== 'first') this.change(change);
    else if (this.rowAt(change.table, change.key) === null) {
      this.change({ op: 'put', table: change.table, key: change.key, row: change.row });
      for (const one of change.changes) this.make(one);
    }
  }

  /** Throws `ChangeRefused`, or the error of a failing file. Some rows may have been written by then. */
  flush(): void {
    for (const pending of this.pending.values()) {
      const { table, key, fields } = pending;
      if (fields && Object.keys(fields).length === 0) continue;
      try {
        const { sql, params } = statementOf(this.rows.table(table.name), pending);
        this.transaction.run(sql, ...params);
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
      // Done in the store, which is cheaper than reading the row.
      this.pending.set(place, { table, key, row: null, fields: { ...pending?.fields, ...change.fields } });
      return;
    }
    if (op === 'put' || op === 'remove') {
      this.keep(place, { table, key, row: changed(null, change) }, pending?.stored);
      return;
    }
    const before = this.rowAt(table, key);
    const row = changed(before, change);
    if (op === 'update' && row) checkIndexed(table, key, row);
    this.keep(place, { table, key, row }, pending ? pending.stored : before);
  }

  private keep(place: string, pending: Pending, stored: Row | null | undefined): void {
    this.pending.set(place, stored === undefined ? pending : { ...pending, stored });
  }

  /** The row with the changes made so far. */
  private rowAt(table: Table, key: string): Row | null {
    const pending = this.pending.get(`${table.name}/${key}`);
    if (pending && !pending.fields) return pending.row;
    const stored = this.transaction.get<{ row: string }>(this.rows.table(table.name).get, key);
    return stored ? { ...(JSON.parse(stored.row) as Row), ...pending?.fields } : null;
  }
}

function statementOf(sql: TableSql, { key, row, stored, fields }: Pending): Statement {
  if (fields) return sql.patchOf(key, fields);
  if (!row) return { sql: sql.remove, params: [key] };
  return stored ? sql.replaceOf(key, row, stored) : sql.putOf(key, row);
}
