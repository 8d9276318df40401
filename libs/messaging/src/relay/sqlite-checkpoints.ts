import type { Schema, SqliteFile } from '@parlance/sqlite';
import { NEWER_RELEASE_KEEPS_MS, RelayCheckpoints, type RelayLease } from './relay-checkpoints.ts';

const schema: Schema = {
  module: 'relay',
  steps: [
    `CREATE TABLE relay_checkpoints (relay TEXT PRIMARY KEY, epoch INTEGER NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL,
       expires INTEGER NOT NULL) WITHOUT ROWID`,
    'ALTER TABLE relay_checkpoints ADD COLUMN release INTEGER NOT NULL DEFAULT 0',
  ],
};

interface Row extends RelayLease {
  readonly owner: string;
  readonly expires: number;
  readonly release: number;
}

/** Whether another owner may claim the lease. */
function isFree(held: Row, release: number, now: number): boolean {
  return held.release < release || held.expires + (held.release > release ? NEWER_RELEASE_KEEPS_MS : 0) <= now;
}

/** Only one process uses a file, so its clock is the database's. */
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

  claim(relay: string, owner: string, ttlMs: number, release: number): Promise<RelayLease | null> {
    return this.#file.write((transaction) => {
      const now = this.#now();
      const held = transaction.get<Row>('SELECT epoch, position, owner, expires, release FROM relay_checkpoints WHERE relay = ?', relay);
      if (held && held.owner !== owner && !isFree(held, release, now)) return null;
      const { epoch, position } = { epoch: (held?.epoch ?? 0) + 1, position: held?.position ?? 0 };
      const sql = 'INSERT OR REPLACE INTO relay_checkpoints (relay, epoch, position, owner, expires, release) VALUES (?, ?, ?, ?, ?, ?)';
      transaction.run(sql, relay, epoch, position, owner, now + ttlMs, release);
      return { epoch, position };
    });
  }

  advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean> {
    const sql = 'UPDATE relay_checkpoints SET position = max(position, ?), expires = ? WHERE relay = ? AND epoch = ?';
    return this.#file.write((transaction) => transaction.run(sql, position, this.#now() + ttlMs, relay, epoch) === 1);
  }

  async release(relay: string, epoch: number): Promise<void> {
    const sql = 'UPDATE relay_checkpoints SET expires = min(expires, ?) WHERE relay = ? AND epoch = ?';
    await this.#file.write((transaction) => transaction.run(sql, this.#now(), relay, epoch));
  }

  async position(relay: string): Promise<number> {
    return this.#file.get<{ position: number }>('SELECT position FROM relay_checkpoints WHERE relay = ?', relay)?.position ?? 0;
  }
}
