import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type SqliteFixture, sqliteFixture } from '../test/fixtures.ts';
import { subjectKeysContract } from '../test/contract.ts';
import { LocalMasterKey } from './master/master-key.ts';

subjectKeysContract('SQLite', sqliteFixture);

describe('a key shredded in SQLite', () => {
  const master = new LocalMasterKey(randomBytes(32));
  let fixture: SqliteFixture;
  beforeEach(async () => {
    fixture = await sqliteFixture();
  });
  afterEach(() => fixture.remove());

  const storedBytes = () =>
    Buffer.concat(
      ['', '-wal', '-journal'].map((end) => fixture.path + end).flatMap((path) => (existsSync(path) ? [readFileSync(path)] : [])),
    );
  const wrappedKeys = () =>
    new Map(
      fixture
        .file()
        .all<{ id: string; wrapped: Uint8Array }>('SELECT id, wrapped FROM subject_keys')
        .map(({ id, wrapped }) => [id, Buffer.from(wrapped)]),
    );

  it('is not in the bytes of the files, wherever it was and however pages were split', async () => {
    const keys = await fixture.open(master);
    const ids = Array.from({ length: 600 }, (_, index) => `user:${(index * 7919) % 600}`);
    for (let start = 0; start < ids.length; start += 50) {
      await Promise.all(ids.slice(start, start + 50).map((id) => keys.obtain({ id })));
    }
    const wrapped = wrappedKeys();
    const [first, last, ...others] = [ids[0]!, ids.at(-1)!, ...ids.slice(1, -1).filter((_, index) => index % 3 === 0)];
    const shredded = [first, last, ...others];
    const before = storedBytes();
    expect(shredded.filter((id) => before.includes(wrapped.get(id)!))).toHaveLength(shredded.length);

    for (let start = 0; start < shredded.length; start += 50) {
      await Promise.all(shredded.slice(start, start + 50).map((id) => keys.shred(id)));
    }

    const after = storedBytes();
    expect(shredded.filter((id) => after.includes(wrapped.get(id)!))).toEqual([]);
    const kept = ids.filter((id) => !shredded.includes(id));
    expect(kept.filter((id) => !after.includes(wrapped.get(id)!))).toEqual([]);
  });

  it('resolves only after another process stops reading the log, and is then gone', async () => {
    const keys = await fixture.open(master);
    await keys.obtain({ id: 'user:1' });
    const wrapped = wrappedKeys().get('user:1')!;
    const reader = new DatabaseSync(fixture.path);
    reader.exec('BEGIN; SELECT * FROM subject_keys');
    const shredding = keys.shred('user:1');
    while ((await keys.find('user:1')) !== null) await new Promise(setImmediate);
    expect(storedBytes().includes(wrapped)).toBe(true);
    reader.exec('COMMIT');
    reader.close();
    expect(await shredding).toBe(true);
    expect(storedBytes().includes(wrapped)).toBe(false);
  });

  it('shares the truncation of the log with concurrently destroyed keys; a repeat does not truncate again', async () => {
    const keys = await fixture.open(master);
    const ids = Array.from({ length: 20 }, (_, n) => `user:${n}`);
    for (const id of ids) await keys.obtain({ id });
    const wrapped = ids.map((id) => wrappedKeys().get(id)!);
    const checkpoint = jest.spyOn(fixture.file(), 'checkpoint');
    expect(await Promise.all(ids.map((id) => keys.shred(id)))).toEqual(ids.map(() => true));
    const { length: truncations } = checkpoint.mock.calls;
    expect(truncations).toBeLessThan(5);
    expect(wrapped.filter((key) => storedBytes().includes(key))).toEqual([]);
    expect(await Promise.all(ids.map((id) => keys.shred(id)))).toEqual(ids.map(() => false));
    expect(checkpoint.mock.calls).toHaveLength(truncations);
  });
  it('is scrubbed at the next opening after a crash', async () => {
    const keys = await fixture.open(master);
    await keys.obtain({ id: 'user:1' });
    const wrapped = wrappedKeys().get('user:1')!;
    const overwrite = `UPDATE subject_keys SET wrapped = zeroblob(length(wrapped)), shredded = 1 WHERE id = 'user:1'`;
    await fixture.file().write((transaction) => transaction.run(overwrite));
    expect(storedBytes().includes(wrapped)).toBe(true);
    await fixture.open(master);
    expect(storedBytes().includes(wrapped)).toBe(false);
  });
});
