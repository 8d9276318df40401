import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ReadLimit, SqlValue, Transaction } from './sqlite-file.ts';

/** Statement texts are constants or built from few parts. If there are more than this many, some code builds them from data. */
const STATEMENTS_KEPT = 1_000;

/** Statements of one connection, prepared once per text. */
export class Statements implements Transaction {
  private readonly prepared = new Map<string, StatementSync>();

  constructor(private readonly database: DatabaseSync) {}

  run(sql: string, ...params: readonly SqlValue[]): number {
    return Number(this.of(sql).run(...params).changes);
  }

  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined {
    return this.of(sql).get(...params) as Row | undefined;
  }

  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[] {
    return this.of(sql).all(...params) as Row[];
  }

  /** Stops reading at the limit, so that rows beyond it are never loaded. */
  upTo<Row>({ rows, bytes, sizeOf }: ReadLimit<Row>, sql: string, ...params: readonly SqlValue[]): Row[] {
    const found: Row[] = [];
    let size = 0;
    for (const row of this.of(sql).iterate(...params) as Iterable<Row>) {
      found.push(row);
      size += sizeOf(row);
      if (size >= bytes || found.length >= rows) break;
    }
    return found;
  }

  private of(sql: string): StatementSync {
    let statement = this.prepared.get(sql);
    if (!statement) {
      if (this.prepared.size === STATEMENTS_KEPT) this.prepared.clear();
      statement = this.database.prepare(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}
