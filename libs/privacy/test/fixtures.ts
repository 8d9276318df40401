import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile, type SqliteFile, type Transaction } from '@parlance/sqlite';
import { type KeyRow, type KeyRows, openStoredSubjectKeys } from '../src/stored-subject-keys.ts';
import { openSqliteSubjectKeys } from '../src/sqlite.ts';
import type { KeyFixture } from './contract.ts';

export interface SqliteFixture extends KeyFixture {
  readonly path: string;
  file(): SqliteFile;
}

/** Keys in a SQLite file in its own directory. */
export async function sqliteFixture(): Promise<SqliteFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-keys-'));
  const path = join(directory, 'keys.db');
  let file = await openSqliteFile(path);
  return {
    path,
    file: () => file,
    open: (master, options) => openSqliteSubjectKeys(file, master, options),
    async commit(companions) {
      await file.write((transaction) => companions.forEach((companion) => companion(transaction)));
    },
    async restart() {
      await file.close();
      file = await openSqliteFile(path);
    },
    async remove() {
      await file.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** A correct store in memory. Specs break it by overriding methods. */
export class RowsInMemory implements KeyRows {
  readonly rows = new Map<string, KeyRow>();

  async find(id: string): Promise<KeyRow | null> {
    return this.rows.get(id) ?? null;
  }

  async keep(row: KeyRow): Promise<KeyRow> {
    const stored = this.rows.get(row.id) ?? row;
    this.rows.set(row.id, stored);
    return stored;
  }

  keepIn(_: Transaction, row: KeyRow): KeyRow {
    const stored = this.rows.get(row.id) ?? row;
    this.rows.set(row.id, stored);
    return stored;
  }

  async destroy(id: string): Promise<boolean> {
    const row = this.rows.get(id);
    this.rows.set(id, { id, within: row?.within ?? null, wrapped: null });
    return (row?.wrapped ?? null) !== null;
  }
}

export function fixtureOf(rows: RowsInMemory): KeyFixture {
  return {
    open: (master, options) => openStoredSubjectKeys(rows, master, options),
    async commit(companions) {
      const before = new Map(rows.rows);
      try {
        for (const companion of companions) companion(undefined as never);
      } catch (error) {
        rows.rows.clear();
        for (const [id, row] of before) rows.rows.set(id, row);
        throw error;
      }
    },
    restart: async () => undefined,
    remove: async () => undefined,
  };
}
