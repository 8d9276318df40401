import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Found, Mark } from './mark.ts';

/** The name of the broker's file, which no service owns. Its mark is a growing number. */
export const BROKER = 'broker';

const STAMP = 'SELECT installation FROM installation';
const BEAT = 'SELECT beat FROM installation';
const HEAD = 'SELECT max(position) AS position FROM commits';
const COMMIT = "SELECT json_extract(events, '$[0].id') AS id FROM commits WHERE position = ?";

/** The part of a connection that is needed to inspect a file. */
interface Readable {
  get<Row>(sql: string, ...params: readonly (string | number)[]): Row | undefined;
}

/** The synced end of the log in a file of this process. `last` is an earlier result. */
export function markIn(file: Readable, name: string, last?: Mark): Mark {
  if (name === BROKER) return { position: file.get<{ beat: number }>(BEAT)?.beat ?? 0, commit: null };
  const position = file.get<{ position: number | null }>(HEAD)?.position ?? 0;
  if (position === last?.position) return last;
  return { position, commit: position === 0 ? null : commitIn(file, position) };
}

function commitIn(file: Readable, position: number): string | null {
  return file.get<{ id: string | null }>(COMMIT, position)?.id ?? null;
}

/** Inspects a file that this process has not opened yet, without changing it. Throws SQLite's error for an unreadable file. */
export function lookInto(path: string, name: string, mark: Mark): Found {
  if (!existsSync(path)) return { installation: null, exists: false, position: 0, commitAtMark: null };
  return reading(path, (file) => {
    const tables = new Set(file.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map((table) => table.name));
    if (!tables.has('installation')) return { installation: null, exists: true, position: 0, commitAtMark: null };
    const installation = file.get<{ installation: string }>(STAMP)?.installation ?? null;
    if (name !== BROKER && !tables.has('commits')) return { installation, exists: true, position: 0, commitAtMark: null };
    return {
      installation,
      exists: true,
      position: markIn(file, name).position,
      commitAtMark: mark.commit === null ? null : commitIn(file, mark.position),
    };
  });
}

export function markOfFile(path: string, name: string): Mark {
  return reading(path, (file) => markIn(file, name));
}

function reading<Result>(path: string, look: (file: Readable & { all<Row>(sql: string): Row[] }) => Result): Result {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return look({
      get: <Row>(sql: string, ...params: readonly (string | number)[]) => database.prepare(sql).get(...params) as Row | undefined,
      all: <Row>(sql: string) => database.prepare(sql).all() as Row[],
    });
  } finally {
    database.close();
  }
}

/** Assigns a file to this installation. No other process may have the file open. */
export function stampFile(path: string, installation: string): void {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    database.exec('PRAGMA synchronous=FULL');
    database.prepare('UPDATE installation SET installation = ?').run(installation);
  } finally {
    database.close();
  }
}
