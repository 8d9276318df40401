import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, jest } from '@jest/globals';
import { openSqliteFile, type SqliteFile, type SqlValue, type Transaction } from '../src/index.ts';

export const pairs = { module: 'pairs', steps: ['CREATE TABLE pairs (key TEXT PRIMARY KEY, value ANY)'] };
/** A unit that writes these pairs. */
export const put =
  (...all: readonly (readonly [key: string, value: SqlValue])[]) =>
  (transaction: Transaction) => {
    for (const [key, value] of all) transaction.run('INSERT INTO pairs VALUES (?, ?)', key, value);
  };

export let directory: string;
export let path: string;
export let file: SqliteFile;

/** Opens the file of the test again, after the test has closed it. */
export async function reopen(options?: Parameters<typeof openSqliteFile>[1]): Promise<void> {
  file = await openSqliteFile(path, options);
}

export const keys = (from: SqliteFile = file) => from.all<{ key: string }>('SELECT key FROM pairs ORDER BY key').map(({ key }) => key);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  path = join(directory, 'data.sqlite');
  await reopen();
  await file.migrate(pairs);
});

afterEach(async () => {
  // A failing test would otherwise leave its mock to the next test, whose mock of the same function would then call itself.
  jest.restoreAllMocks();
  await file.close();
  rmSync(directory, { recursive: true });
});
