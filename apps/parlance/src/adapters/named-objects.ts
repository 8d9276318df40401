import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ObjectNaming } from '@parlance/object-store';

const PAGE = 500;
/** Sorts after all characters of keys. */
const AFTER_ALL = '~';

/** The objects that the events of a backup name. They are in a temporary file without a name, because there may be millions. */
export class NamedObjects {
  private readonly database = new DatabaseSync('');
  private readonly name: StatementSync;
  private readonly release: StatementSync;
  private readonly destroy: StatementSync;
  private readonly page: StatementSync;

  constructor() {
    this.database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE named (key TEXT PRIMARY KEY, subject TEXT) WITHOUT ROWID;
      CREATE TABLE destroyed (subject TEXT PRIMARY KEY) WITHOUT ROWID;`);
    this.name = this.database.prepare('INSERT INTO named VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET subject = excluded.subject');
    this.release = this.database.prepare('DELETE FROM named WHERE key >= ? AND key < ?');
    this.destroy = this.database.prepare('INSERT INTO destroyed VALUES (?) ON CONFLICT DO NOTHING');
    this.page = this.database.prepare(`SELECT key FROM named
      WHERE key > ? AND (subject IS NULL OR subject NOT IN (SELECT subject FROM destroyed)) ORDER BY key LIMIT ${PAGE}`);
  }

  follow(naming: ObjectNaming): void {
    if (naming.type === 'named') this.name.run(naming.key, naming.subject ?? null);
    else this.release.run(naming.prefix, naming.prefix + AFTER_ALL);
  }

  /** The key of a subject is destroyed, so its objects may be removed. */
  keyDestroyed(subject: string): void {
    this.destroy.run(subject);
  }

  /** The keys in their order. */
  *keys(): Generator<string> {
    for (let after = ''; ;) {
      const rows = this.page.all(after) as unknown as { readonly key: string }[];
      for (const { key } of rows) yield key;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.key;
    }
  }

  close(): void {
    this.database.close();
  }
}
