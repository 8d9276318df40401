import { setTimeout } from 'node:timers/promises';
import type { Schema, SqliteFile, Transaction } from '@parlance/sqlite';
import type { MasterKey } from './master/master-key.ts';
import { type KeyRow, type KeyRows, openStoredSubjectKeys, type SubjectKeysOptions } from './stored-subject-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

/**
 * With this schema, a wrapped key is never in more than one place: rows are only appended, so inserts never move a row to another page; the index
 * contains only IDs; a tombstone is as long as the row that it replaces, so pages are never merged.
 */
const SCHEMA: Schema = {
  module: 'subject-keys',
  steps: [
    `CREATE TABLE subject_keys (
      place INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      within TEXT,
      wrapped BLOB NOT NULL,
      shredded INTEGER NOT NULL
    ) STRICT`,
  ],
};

const SCRUB_TRIES = 100;
const SCRUB_PAUSE_MILLIS = 50;

/**
 * Rejection of `shred` if the key is destroyed for every reader and every restart, but another process reads the database for so long that the
 * key's old bytes cannot be removed from the log. Shredding the same subject again, or opening the store, completes the removal.
 */
export class NotScrubbed extends Error {
  constructor(path: string) {
    super(`another process reads ${path}: its log can't be cleared of shredded keys`);
    this.name = 'NotScrubbed';
  }
}

/**
 * Keys in a SQLite file, preferably a separate one: secure deletion is a setting of the whole connection, and backups of keys should be kept for
 * a shorter time than backups of events.
 *
 * After `shred` has resolved, the wrapped key is in no file of the database: it was overwritten in place with zeros, the write-ahead log with its
 * old page was applied and truncated, and secure_delete clears the copies that SQLite leaves when it splits pages. This does not cover freed
 * blocks of the file system, remapped sectors, snapshots and backups; copies there are still wrapped by the master key.
 */
export async function openSqliteSubjectKeys(file: SqliteFile, master: MasterKey, options?: SubjectKeysOptions): Promise<SubjectKeys> {
  await file.write((transaction) => transaction.run('PRAGMA secure_delete = ON'));
  await file.migrate(SCHEMA);
  const rows = new SqliteKeyRows(file);
  // Completes the removal for keys that were shredded right before a crash.
  await rows.scrub();
  return openStoredSubjectKeys(rows, master, options);
}

interface StoredRow {
  readonly within: string | null;
  readonly wrapped: Uint8Array;
  readonly shredded: number;
}

const FIND = 'SELECT within, wrapped, shredded FROM subject_keys WHERE id = ?';

function keyRow(id: string, row: StoredRow | undefined): KeyRow | null {
  if (!row) return null;
  return { id, within: row.within, wrapped: row.shredded === 1 ? null : Buffer.from(row.wrapped).toString() };
}

class SqliteKeyRows implements KeyRows {
  /** The number of keys that this process has destroyed, and how many of them are no longer in the log. */
  private destroyed = 0;
  private scrubbed = 0;
  private scrubbing: Promise<void> | null = null;

  constructor(private readonly file: SqliteFile) {}

  async find(id: string): Promise<KeyRow | null> {
    return keyRow(id, this.file.get<StoredRow>(FIND, id));
  }

  keep(row: KeyRow): Promise<KeyRow> {
    return this.file.write((transaction) => this.keepIn(transaction, row));
  }

  keepIn(transaction: Transaction, row: KeyRow): KeyRow {
    const sql = 'INSERT INTO subject_keys (id, within, wrapped, shredded) VALUES (?, ?, ?, 0) ON CONFLICT (id) DO NOTHING';
    const isNew = transaction.run(sql, row.id, row.within, Buffer.from(row.wrapped ?? '')) === 1;
    return isNew ? row : keyRow(row.id, transaction.get<StoredRow>(FIND, row.id))!;
  }

  async destroy(id: string): Promise<boolean> {
    const isDestroyed = await this.file.write((transaction) => {
      const tombstone = `INSERT INTO subject_keys (id, within, wrapped, shredded) VALUES (?, NULL, x'', 1) ON CONFLICT (id) DO NOTHING`;
      transaction.run(tombstone, id);
      const overwrite = 'UPDATE subject_keys SET wrapped = zeroblob(length(wrapped)), shredded = 1 WHERE id = ? AND shredded = 0';
      const changes = transaction.run(overwrite, id);
      this.destroyed += changes;
      return changes === 1;
    });
    // If all destroyed keys have left the log, there is nothing left to do.
    if (this.scrubbed < this.destroyed) await this.scrub();
    return isDestroyed;
  }

  /** Truncates the log, which contains earlier versions of pages. Concurrent calls share one truncation that begins after all of them. */
  async scrub(): Promise<void> {
    await this.scrubbing?.catch(() => undefined);
    await (this.scrubbing ??= this.truncate().finally(() => (this.scrubbing = null)));
  }

  private async truncate(): Promise<void> {
    const upTo = this.destroyed;
    for (let tries = 0; tries < SCRUB_TRIES; tries++) {
      if (await this.file.checkpoint()) {
        this.scrubbed = upTo;
        return;
      }
      await setTimeout(SCRUB_PAUSE_MILLIS);
    }
    const path = this.file.get<{ file: string }>('PRAGMA database_list')?.file ?? '';
    throw new NotScrubbed(path);
  }
}
