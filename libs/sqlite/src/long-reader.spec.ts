import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { checkpointer } from './checkpointer.ts';
import { openSqliteFile, type SqliteFile } from './index.ts';

let directory: string;
let path: string;
let file: SqliteFile;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sqlite-reader-'));
  path = join(directory, 'data.sqlite');
  file = await openSqliteFile(path);
});
afterEach(async () => {
  await file.close();
  rmSync(directory, { recursive: true });
});

describe('another connection that reads for a long time, like a backup', () => {
  it('prevents the reuse of the log, but delays few writes', async () => {
    await file.migrate({ module: 'texts', steps: ['CREATE TABLE texts (text TEXT)'] });
    const write = () => file.write((transaction) => transaction.run('INSERT INTO texts VALUES (?)', 'x'.repeat(100_000)));
    await write();
    const other = new DatabaseSync(path, { readOnly: true });
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM texts').get();
    const tries = jest.spyOn(checkpointer, 'run');
    for (let nth = 0; nth < 200; nth++) await write();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(15_000_000);
    // Without a limit, each of the last 120 writes would try to move the log.
    // An attempt makes two calls, one of which delays writes.
    expect(tries.mock.calls.length).toBeLessThan(20);
    tries.mockRestore();
    other.close();
    expect(await file.checkpoint()).toBe(true);
  });
});
