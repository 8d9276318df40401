import { setTimeout as delay } from 'node:timers/promises';
import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { records } from './records.ts';
import type { Statement } from './table-sql.ts';

/** Rows of one statement. Each may have several megabytes. */
const ROWS = 4;
/** How long a unit of work lasts, and how long the thread is free after it. */
const UNIT_MS = 5;

export function isThere(file: Pick<Transaction, 'get'>, table: string): boolean {
  return file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) !== undefined;
}

/** Empties a table in short units and drops it. Dropping a full table would block the file in proportion to its size. */
export async function dropTable(file: SqliteFile, name: string, ...keys: readonly string[]): Promise<void> {
  if (!isThere(file, name)) return;
  const columns = keys.join(', ');
  const some = `DELETE FROM "${name}" WHERE (${columns}) IN (SELECT ${columns} FROM "${name}" LIMIT ${ROWS})`;
  while (await file.write((transaction) => inTime(() => transaction.run(some) > 0))) await delay(UNIT_MS);
  await file.write((transaction) => transaction.run(`DROP TABLE IF EXISTS "${name}"`));
}

/** The rows of a table whose keys sort before a key. */
export const rowsBefore = (table: string, key: string): Statement => ({
  sql: `SELECT key FROM "${table}" WHERE key < ? ORDER BY key LIMIT ?`,
  params: [key],
});

/** Removes the rows of a ready version that a statement selects, whose last parameter is the limit. Returns how many. */
export async function removeRows(file: SqliteFile, id: string, table: string, { sql, params }: Statement): Promise<number> {
  const some = `DELETE FROM "${table}" WHERE key IN (SELECT key FROM (${sql}))`;
  let removed = 0;
  const unit = (transaction: Transaction) => {
    let count = 0;
    const isMore = inTime(() => {
      const rows = records.of(transaction, id, '')?.ready ? transaction.run(some, ...params, ROWS) : 0;
      count += rows;
      return rows > 0;
    });
    return { count, isMore };
  };
  for (;;) {
    const { count, isMore } = await file.write(unit);
    removed += count;
    if (!isMore) return removed;
    await delay(UNIT_MS);
  }
}

/** Only records of projections of other services' events have positions by source. */
export const LEAVE_FOREIGN = `UPDATE read_model_progress SET leaving = 1, ready = 0, revision = revision + 1 WHERE line = '' AND at LIKE '{%'`;

/** Removes the rows and the records of a version. If the process is killed, the version stays marked and the next process continues. */
export async function dropVersion(file: SqliteFile, id: string): Promise<void> {
  const marked = await file.write((transaction) => {
    transaction.run(
      `UPDATE read_model_progress SET leaving = 1, ready = 0, live = 0, revision = revision + 1 WHERE id = ? AND line = ''`,
      id,
    );
    transaction.run(`DELETE FROM read_model_progress WHERE id = ? AND line <> ''`, id);
    return transaction.get<{ tables: string }>(`SELECT tables FROM read_model_progress WHERE id = ? AND line = ''`, id);
  });
  if (!marked) return;
  for (const table of JSON.parse(marked.tables) as string[]) await dropTable(file, table, 'key');
  const parked = `DELETE FROM read_model_parked WHERE (id, line, key, number) IN
    (SELECT id, line, key, number FROM read_model_parked WHERE id = ? LIMIT ${ROWS})`;
  while (await file.write((transaction) => inTime(() => transaction.run(parked, id) > 0))) await delay(UNIT_MS);
  await file.write((transaction) => transaction.run('DELETE FROM read_model_progress WHERE id = ?', id));
}

/** Versions that were not declared since a time, and those whose removal was interrupted. */
export function unused(transaction: Pick<Transaction, 'all'>, before: number): string[] {
  const sql = `SELECT id FROM read_model_progress WHERE line = '' AND (leaving = 1 OR used_at < ?)`;
  return Array.from(transaction.all<{ id: string }>(sql, before), ({ id }) => id);
}

/** Remains of programs before this schema: rows by generation, and the IDs of events that were seen. */
export async function dropOld(file: SqliteFile): Promise<void> {
  const old = file.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*@[0-9]*'");
  for (const { name } of old) await dropTable(file, name, 'key');
  await dropTable(file, 'read_model_seen', 'projection', 'generation', 'id');
  await dropTable(file, 'read_model_builds', 'projection', 'generation');
}

/** Repeats until nothing is left (returns false) or the time of a unit is over. */
function inTime(work: () => boolean): boolean {
  const until = performance.now() + UNIT_MS;
  do if (!work()) return false;
  while (performance.now() < until);
  return true;
}
