import type { Schema, Transaction } from '@parlance/sqlite';
import { firstRevision, type Parked, type Parking, type Progress } from '../read-models.ts';

export const SCHEMA: Schema = {
  module: 'read-models',
  steps: [
    `CREATE TABLE read_model_builds (
      projection TEXT NOT NULL, generation INTEGER NOT NULL, version INTEGER NOT NULL, checkpoint INTEGER NOT NULL DEFAULT 0,
      state TEXT NOT NULL CHECK (state IN ('living', 'next')), tables TEXT NOT NULL,
      latest INTEGER NOT NULL, builder TEXT, until REAL, PRIMARY KEY (projection, generation), UNIQUE (projection, state)
    ) WITHOUT ROWID`,
    `CREATE TABLE read_model_seen (
      projection TEXT NOT NULL, generation INTEGER NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (projection, generation, id)
    ) WITHOUT ROWID`,
    'CREATE INDEX read_model_seen_at ON read_model_seen (at)',
    // Versions instead of builds. The tables above, and those named "table@1", are emptied and dropped by `sweep`.
    `CREATE TABLE read_model_progress (
      id TEXT NOT NULL, line TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL,
      ready INTEGER NOT NULL DEFAULT 0, live INTEGER NOT NULL DEFAULT 0, stopped TEXT,
      used_at REAL NOT NULL, tables TEXT NOT NULL DEFAULT '[]', leaving INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (id, line)
    ) WITHOUT ROWID;
    CREATE TABLE read_model_parked (
      id TEXT NOT NULL, line TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, reason TEXT NOT NULL, letter TEXT,
      PRIMARY KEY (id, line, key, number)
    ) WITHOUT ROWID;`,
    'CREATE INDEX read_model_parked_by_key ON read_model_parked (id, key, line, number, reason)',
    // Tables that are created from this step on have a column for each indexed field. Earlier releases would not fill the columns, so they refuse the file.
    'SELECT 1',
  ],
};

/** A record as it is stored. */
export interface Stored {
  readonly id: string;
  readonly line: string;
  readonly revision: number;
  readonly at: string;
  readonly ready: number;
  readonly live: number;
  readonly stopped: string | null;
  readonly used_at: number;
  /** Names of tables, as JSON. */
  readonly tables: string;
  /** Its rows are being removed. */
  readonly leaving: number;
}

const OF_LINE = 'SELECT * FROM read_model_progress WHERE id = ? AND line = ?';
const INSERT = `INSERT INTO read_model_progress (id, line, revision, at, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const USE = `UPDATE read_model_progress SET used_at = ?, tables = ? WHERE id = ? AND line = ''`;
const MOVE = `UPDATE read_model_progress SET revision = revision + 1, at = ?, ready = ?, live = ?, stopped = ? WHERE id = ? AND line = ?`;
const PARK = `INSERT INTO read_model_parked VALUES (?, ?, ?, ?, ?, ?)`;
const UNPARK = 'DELETE FROM read_model_parked WHERE id = ? AND line = ? AND key = ? AND number = ?';
const IS_PARKED = `SELECT 1 FROM read_model_parked WHERE id = ? AND line = '' AND key = ? LIMIT 1`;
/** The reason is '' for all entries of a key but the first. Reads only the index, because letters may be large. */
const parkedWhere = (
  where: string,
) => `SELECT line, key, min(number) AS first, max(number) AS last, count(*) AS count, max(reason) AS reason
  FROM read_model_parked INDEXED BY read_model_parked_by_key WHERE ${where} GROUP BY key, line ORDER BY line, key LIMIT ?`;
const PARKED = parkedWhere('id = ?');
const PARKED_KEY = parkedWhere('id = ? AND key = ?');
const LETTERS = 'SELECT key, number, reason, letter FROM read_model_parked WHERE id = ? AND line = ? AND key = ? ORDER BY number LIMIT ?';

export const records = {
  of: (transaction: Pick<Transaction, 'get'>, id: string, line: string) => transaction.get<Stored>(OF_LINE, id, line),
  insert: (transaction: Transaction, id: string, line: string, at: string) =>
    transaction.run(INSERT, id, line, firstRevision(), at, Date.now()),
  use: (transaction: Transaction, id: string, tables: readonly string[]) => transaction.run(USE, Date.now(), JSON.stringify(tables), id),
  move: (transaction: Transaction, { id, line, at, ready, live, stopped }: Omit<Stored, 'revision' | 'used_at' | 'tables' | 'leaving'>) =>
    transaction.run(MOVE, at, ready, live, stopped, id, line),
  park: (transaction: Transaction, id: string, line: string, { key, number, reason, letter }: Parking) =>
    transaction.run(PARK, id, line, key, number, reason, letter === undefined ? null : JSON.stringify(letter)),
  unpark: (transaction: Transaction, id: string, line: string, key: string, number: number) =>
    transaction.run(UNPARK, id, line, key, number),
  isParked: (transaction: Transaction, id: string, key: string) => transaction.get(IS_PARKED, id, key) !== undefined,
  parked(transaction: Pick<Transaction, 'all'>, id: string, limit: number, key?: string): Parked[] {
    const found = key === undefined ? transaction.all<Parked>(PARKED, id, limit) : transaction.all<Parked>(PARKED_KEY, id, key, limit);
    return Array.from(found, (entry) => ({ ...entry }));
  },
  letters(transaction: Pick<Transaction, 'all'>, id: string, line: string, key: string, limit: number): Parking[] {
    const rows = transaction.all<{ key: string; number: number; reason: string; letter: string | null }>(LETTERS, id, line, key, limit);
    return Array.from(rows, ({ letter, ...rest }) => (letter === null ? rest : { ...rest, letter: JSON.parse(letter) as unknown }));
  },
};

export function progressOf(projection: string, { line, revision, at, ready, live, stopped }: Stored): Progress {
  return { projection, line, revision, at, ready: ready === 1, live: live === 1, stopped };
}
