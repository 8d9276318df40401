import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pathOf } from '@parlance/installation';
import { pin } from './sqlite-pins.ts';

describe('pinned files', () => {
  let directory: string;
  let databases: Map<string, DatabaseSync>;
  const add = (log: string) => databases.get(log)!.exec('INSERT INTO items DEFAULT VALUES');
  /** Whether the write-ahead log of the file can be truncated. */
  const truncates = (log: string) => databases.get(log)!.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()!['busy'] === 0;
  const itemsIn = (path: string) => {
    const copy = new DatabaseSync(path, { readOnly: true });
    const { count } = copy.prepare('SELECT count(*) AS count FROM items').get()!;
    copy.close();
    return count;
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-pins-'));
    databases = new Map(['bots', 'identity'].map((log) => [log, new DatabaseSync(pathOf(directory, log))]));
    for (const database of databases.values())
      database.exec('PRAGMA journal_mode=WAL; PRAGMA busy_timeout=0; CREATE TABLE items (id INTEGER PRIMARY KEY)');
  });
  afterEach(async () => {
    for (const database of databases.values()) database.close();
    await rm(directory, { recursive: true });
  });

  it('are each copied into one file, in the state of the cut', async () => {
    for (const log of databases.keys()) add(log);
    const pinned = pin(directory, [...databases.keys()]);
    for (const log of databases.keys()) add(log);
    for (const each of pinned) {
      const path = join(directory, `${each.log}.copy`);
      await each.copyTo(path);
      each.release();
      expect([itemsIn(path), existsSync(`${path}-wal`)]).toEqual([1, false]);
    }
  });

  it('block the truncation of their logs until they are released', () => {
    const [pinned] = pin(directory, ['bots']);
    add('bots');
    expect(truncates('bots')).toBe(false);
    pinned!.release();
    expect(truncates('bots')).toBe(true);
  });

  it('are all released if one file cannot be pinned', () => {
    expect(() => pin(directory, ['bots', 'missing'])).toThrow();
    add('bots');
    expect(truncates('bots')).toBe(true);
  });
});
