import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

export interface Recorded {
  event: { entry: Record<string, unknown> & { id: string }; previousHash: string; hash: string; proof?: string };
}
type Row = Record<string, SQLInputValue>;
type Tables = ReadonlyMap<string, readonly Row[]>;

const LOG = 'commits';
const OF_TRAIL = "stream = 'audit-trail'";

/** The audit log in the service's file: commits, and the rows that administrators see. */
export class AuditFile {
  private readonly db: DatabaseSync;
  /** The state when the file was last read completely. */
  private original: Tables;

  constructor(dataDir: string) {
    this.db = new DatabaseSync(join(dataDir, 'analytics.db'), { timeout: 5_000 });
    this.original = this.copy();
  }

  /** The entries in order. `restore` reverts later replacements. */
  entries(): Recorded[] {
    this.original = this.copy();
    return this.original.get(LOG)!.flatMap(({ events }) => JSON.parse(String(events)) as Recorded[]);
  }

  /** Puts other entries into the same commits. The last commit takes any surplus, and commits without entries are removed. */
  replace(entries: readonly Recorded[], { withRows }: { readonly withRows: boolean }): void {
    const commits = [...this.original.get(LOG)!];
    let taken = 0;
    this.db.exec('BEGIN IMMEDIATE');
    for (const [index, { position, events }] of commits.entries()) {
      const count = (JSON.parse(String(events)) as unknown[]).length;
      const entriesOfCommit = entries.slice(taken, index === commits.length - 1 ? undefined : taken + count);
      taken += entriesOfCommit.length;
      if (entriesOfCommit.length === 0) this.db.prepare(`DELETE FROM ${LOG} WHERE ${OF_TRAIL} AND position = ?`).run(position!);
      else this.db.prepare(`UPDATE ${LOG} SET events = ? WHERE position = ?`).run(JSON.stringify(entriesOfCommit), position!);
      if (withRows) for (const { event } of entriesOfCommit) this.showAs(event, Number(position));
    }
    if (withRows) this.hideOthers(new Set(entries.map(({ event }) => event.entry.id)));
    this.db.exec('COMMIT');
  }

  restore(): void {
    this.putBack(this.original);
  }

  copy(): Tables {
    const log = this.db.prepare(`SELECT * FROM ${LOG} WHERE ${OF_TRAIL} ORDER BY version`).all() as Row[];
    const all = this.rowTables().map((name) => [name, this.db.prepare(`SELECT * FROM "${name}"`).all() as Row[]] as const);
    return new Map([[LOG, log], ...all]);
  }

  putBack(tables: Tables): void {
    this.db.exec('BEGIN IMMEDIATE');
    for (const [name, rows] of tables) {
      this.db.exec(`DELETE FROM "${name}" ${name === LOG ? `WHERE ${OF_TRAIL}` : ''}`);
      for (const row of rows) {
        const columns = Object.keys(row);
        const values = columns.map(() => '?').join();
        this.db.prepare(`INSERT INTO "${name}" (${columns.map((one) => `"${one}"`).join()}) VALUES (${values})`).run(...Object.values(row));
      }
    }
    this.db.exec('COMMIT');
  }

  close(): void {
    this.db.close();
  }

  private rowTables(): readonly string[] {
    const tables = this.db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'audit_log@%'").all();
    return tables.map(({ name }) => String(name));
  }

  private showAs({ entry, hash }: Recorded['event'], position: number): void {
    const row: Record<string, unknown> = { ...entry, hash, position };
    for (const name of this.rowTables()) {
      const columns = this.db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(name)
        .slice(2)
        .map((column) => String(column['name']));
      const indexed = columns.map((column) => inColumn(row[column.replace(/^of_/, '')]));
      const written = ['key', 'row', ...columns].map((column) => `"${column}"`);
      this.db
        .prepare(`INSERT OR REPLACE INTO "${name}" (${written.join()}) VALUES (${written.map(() => '?').join()})`)
        .run(entry.id, JSON.stringify(row), ...indexed);
    }
  }

  private hideOthers(kept: ReadonlySet<string>): void {
    for (const name of this.rowTables())
      for (const { key } of this.db.prepare(`SELECT key FROM "${name}"`).all())
        if (!kept.has(String(key))) this.db.prepare(`DELETE FROM "${name}" WHERE key = ?`).run(String(key));
  }
}

/** The stored form of a row's indexed fields. */
function inColumn(value: unknown): string | number | Uint8Array | null {
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
