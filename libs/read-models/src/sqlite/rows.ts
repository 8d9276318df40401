import type { Transaction } from '@parlance/sqlite';
import { changed, check, checkIndexed, notExact } from '../changes.ts';
import type { Declared } from '../declared.ts';
import { ChangeRefused } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { Change, Row, RowChange } from '../table.ts';
import { TableSql } from './table-sql.ts';

/** Primary result codes about a value: error, too big, constraint, mismatch. */
const REFUSED = new Set([1, 18, 19, 20]);

/** The tables of one version, and single changes to their rows. */
export class Rows {
  private readonly tables = new Map<string, TableSql>();

  constructor(readonly declared: Declared) {}

  table(name: string): TableSql {
    let sql = this.tables.get(name);
    if (!sql) this.tables.set(name, (sql = new TableSql(name + this.declared.suffix)));
    return sql;
  }

  /** Throws `ChangeRefused`, or the error of a file that fails. A `first` may have put its row by then. */
  write(transaction: Transaction, change: Change): void {
    this.declared.check(change);
    check(change);
    try {
      this.run(transaction, this.table(change.table.name), change);
    } catch (error) {
      const { errcode } = error as { errcode?: number };
      if (error instanceof ChangeRefused || (errcode !== undefined && !REFUSED.has(errcode & 0xff))) throw error;
      throw new ChangeRefused(change.table.name, change.key, reasonOf(error), { cause: error });
    }
  }

  private run(transaction: Transaction, sql: TableSql, change: Change): void {
    const { key } = change;
    switch (change.op) {
      case 'put':
        transaction.run(sql.put, key, JSON.stringify(change.row));
        return;
      case 'remove':
        transaction.run(sql.remove, key);
        return;
      case 'patch': {
        const fields = Object.keys(change.fields);
        if (fields.length === 0) return;
        transaction.run(sql.patch(fields), ...fields.map((field) => JSON.stringify(change.fields[field])), key);
        return;
      }
      case 'add': {
        const fields = Object.keys(change.amounts);
        const amounts = fields.map((field) => BigInt(change.amounts[field]!));
        const first = JSON.stringify({ ...change.start, ...change.amounts });
        if (transaction.run(sql.add(fields), key, first, ...amounts, ...amounts) === 0)
          throw notExact(change.table, key, fields.join(' or '));
        return;
      }
      case 'first':
        if (transaction.run(sql.putFirst, key, JSON.stringify(change.row)) === 1)
          for (const one of change.changes) this.write(transaction, one);
        return;
      case 'update':
        this.update(transaction, sql, change);
    }
  }

  private update(transaction: Transaction, sql: TableSql, change: RowChange & { op: 'update' }): void {
    const stored = transaction.get<{ row: string }>(sql.get, change.key);
    const after = changed(stored ? (JSON.parse(stored.row) as Row) : null, change);
    if (after) {
      checkIndexed(change.table, change.key, after);
      transaction.run(sql.put, change.key, JSON.stringify(after));
    } else if (stored) transaction.run(sql.remove, change.key);
  }
}
