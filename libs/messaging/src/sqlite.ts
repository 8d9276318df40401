import type { Schema, SqliteFile } from '@parlance/sqlite';
import { RelayCheckpoints, type RelayLease } from './relay-checkpoints.ts';

const schema: Schema = {
  module: 'relay',
  steps: [
    `CREATE TABLE relay_checkpoints (relay TEXT PRIMARY KEY, epoch INTEGER NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL,
       expires INTEGER NOT NULL) WITHOUT ROWID`,
  ],
};

export async function openSqliteRelayCheckpoints(file: SqliteFile, now: () => number = Date.now): Promise<RelayCheckpoints> {
  await file.migrate(schema);
  return new SqliteRelayCheckpoints(file, now);
}

class SqliteRelayCheckpoints extends RelayCheckpoints {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  constructor(file: SqliteFile, now: () => number) {
    super();
    this.#file = file;
    this.#now = now;
  }

  async claim(relay: string, owner: string, ttlMs: number): Promise<RelayLease | null> {
    const now = this.#now();
    const [result] = await this.#file.write([
      {
        sql: `INSERT INTO relay_checkpoints (relay, epoch, position, owner, expires) VALUES (?, 1, 0, ?, ?)
              ON CONFLICT (relay) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, expires = excluded.expires
              WHERE expires <= ? OR owner = excluded.owner RETURNING epoch, position`,
        params: [relay, owner, now + ttlMs, now],
        returning: true,
      },
    ]);
    const row = result?.rows[0];
    return row ? { epoch: Number(row['epoch']), position: Number(row['position']) } : null;
  }

  async advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean> {
    const sql = 'UPDATE relay_checkpoints SET position = max(position, ?), expires = ? WHERE relay = ? AND epoch = ?';
    const [result] = await this.#file.write([{ sql, params: [position, this.#now() + ttlMs, relay, epoch] }]);
    return result?.changes === 1;
  }

  async release(relay: string, epoch: number): Promise<void> {
    await this.#file.write([{ sql: 'UPDATE relay_checkpoints SET expires = 0 WHERE relay = ? AND epoch = ?', params: [relay, epoch] }]);
  }
}
