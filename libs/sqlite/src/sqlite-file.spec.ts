import { fstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { directory, file, keys, pairs, path, put, reopen } from '../test/pairs-file.ts';
import { checkpointer } from './checkpointer.ts';
import { FileClosed, openSqliteFile, type Transaction } from './index.ts';

describe('a unit of work', () => {
  it('can be read when its write resolves', async () => {
    await file.write(put(['a', 1], ['b', 'two']));
    expect(file.get('SELECT value FROM pairs WHERE key = ?', 'b')).toEqual({ value: 'two' });
    expect(file.get('SELECT value FROM pairs WHERE key = ?', 'c')).toBeUndefined();
  });

  it('returns how many rows each statement changed, and its result', async () => {
    const results = await file.write((transaction) => [
      transaction.run('INSERT INTO pairs VALUES (?, ?), (?, ?)', 'a', 1, 'b', 2),
      transaction.run('UPDATE pairs SET value = value + 1'),
      transaction.all<object>('DELETE FROM pairs WHERE key = ? RETURNING value', 'b').map((row) => ({ ...row })),
    ]);
    expect(results).toEqual([2, 2, [{ value: 3 }]]);
  });

  it('is rolled back alone: the other units of the group are written', async () => {
    const outcomes = await Promise.allSettled([
      file.write(put(['a', 1])),
      file.write(put(['b', 1], ['a', 2])),
      file.write(put(['c', 1])),
      file.write((transaction) => transaction.run('no such thing')),
      file.write(put(['d', (() => 1) as never])),
      file.write(put(['e', 1])),
    ]);
    expect(keys()).toEqual(['a', 'c', 'e']);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, false, true]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ errcode: 1555 });
  });

  it('is rolled back alone even if earlier units have failed', async () => {
    const outcomes = await Promise.allSettled([
      file.write((transaction) => [put(['a', 1])(transaction), transaction.run('no such thing')]),
      file.write(put(['b', 1], ['b', 2])),
      file.write(put(['c', 1])),
      file.write(put(['d', 1], ['c', 2])),
    ]);
    expect(keys()).toEqual(['c']);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected']);
  });

  it('enforces foreign keys', async () => {
    await file.migrate({ module: 'pets', steps: ['CREATE TABLE pets (owner TEXT REFERENCES pairs (key))'] });
    await expect(file.write((transaction) => transaction.run("INSERT INTO pets VALUES ('unowned')"))).rejects.toThrow(/FOREIGN KEY/);
  });

  it('returns numbers exactly, or throws', async () => {
    await file.write(put(['large', 9_007_199_254_740_993n], ['bytes', new Uint8Array([0, 255])]));
    expect(() => file.get("SELECT value FROM pairs WHERE key = 'large'")).toThrow(/too large/);
    expect(file.get("SELECT CAST(value AS TEXT) AS value FROM pairs WHERE key = 'large'")).toEqual({ value: '9007199254740993' });
    expect(file.get<{ value: Uint8Array }>("SELECT value FROM pairs WHERE key = 'bytes'")?.value).toEqual(new Uint8Array([0, 255]));
  });

  it('reads and writes in one transaction, and resolves with its result when it is on disk', async () => {
    const count = (key: string) => (transaction: Transaction) => {
      const before = transaction.get<{ value: number }>('SELECT value FROM pairs WHERE key = ?', key)?.value ?? 0;
      transaction.run('INSERT INTO pairs VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2', key, before + 1);
      return before + 1;
    };
    expect(await Promise.all(Array.from({ length: 50 }, () => file.write(count('n'))))).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    expect(file.get('SELECT value FROM pairs')).toEqual({ value: 50 });
  });

  it('is rolled back alone if it throws, and its error reaches the caller', async () => {
    class Own extends Error {}
    const write = (key: string, fails: boolean) =>
      file.write((transaction) => {
        transaction.run('INSERT INTO pairs VALUES (?, 1)', key);
        if (fails) throw new Own(key);
      });
    const outcomes = await Promise.allSettled([write('a', false), write('b', true), write('c', false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(Own);
    expect(keys()).toEqual(['a', 'c']);
  });

  it('leaves the event loop free between groups', async () => {
    const spin = () => {
      const until = performance.now() + 2;
      while (performance.now() < until);
    };
    let turns = 0;
    const done = Promise.all(Array.from({ length: 50 }, () => file.write(spin))).then(() => true);
    for (let ended = false; !ended; turns++)
      ended = await Promise.race([done, new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('the answers of a large group', () => {
  const writes = () => Array.from({ length: 128 }, (_, i) => file.write(put([`key ${i}`, i])));

  it('come in the order of the calls, a few in each turn of the event loop', async () => {
    let [turn, ended] = [0, false];
    const count = () => {
      turn++;
      if (!ended) setImmediate(count);
    };
    count();
    const answers: { unit: number; turn: number }[] = [];
    await Promise.all(writes().map((write, unit) => write.then(() => answers.push({ unit, turn }))));
    ended = true;
    expect(answers.map(({ unit }) => unit)).toEqual(Array.from({ length: 128 }, (_, i) => i));
    // The first answers arrive with the sync, and the next ones may arrive before this counter's callback of that turn.
    for (const one of new Set(answers.map((answer) => answer.turn)))
      expect(answers.filter((answer) => answer.turn === one).length).toBeLessThanOrEqual(32);
  });

  it('all arrive before the file is closed', async () => {
    let answered = 0;
    for (const write of writes()) void write.then(() => answered++);
    await file.close();
    expect(answered).toBe(128);
    await reopen();
  });
});

describe('a bounded read', () => {
  it('stops after the row that exceeds a limit', async () => {
    await file.write((transaction) => {
      for (const key of 'abcdefgh') transaction.run('INSERT INTO pairs VALUES (?, ?)', key, 'x'.repeat(100));
    });
    const read = (rows: number, bytes: number) =>
      file
        .upTo<{ key: string; value: string }>({ rows, bytes, sizeOf: ({ value }) => value.length }, 'SELECT * FROM pairs ORDER BY key')
        .map(({ key }) => key)
        .join('');
    expect([read(100, 10_000), read(3, 10_000), read(100, 250), read(100, 1)]).toEqual(['abcdefgh', 'abc', 'abc', 'a']);
    await file.write(put(['z', 1]));
  });
});

describe('the reading connection', () => {
  it('refuses to write', () => expect(() => file.all("INSERT INTO pairs VALUES ('a', 1)")).toThrow(/readonly/));

  it('never prevents the log from being reused or truncated', async () => {
    const body = 'x'.repeat(100_000);
    const size = () => statSync(`${path}-wal`).size;
    const moves = jest.spyOn(checkpointer, 'run');
    for (let i = 0; i < 600; i++) {
      await file.write(put([String(i), body]));
      // This does not depend on how fast the machine moves the log.
      if (i % 20 === 0) await Promise.all(moves.mock.results.map(({ value }) => value));
      file.get('SELECT count(*) FROM pairs');
      file.get('SELECT key FROM pairs');
    }
    moves.mockRestore();
    // 60 MB were written.
    expect(size()).toBeLessThan(40_000_000);
    expect(await file.checkpoint()).toBe(true);
    expect(size()).toBe(0);
  });
});

describe('a file', () => {
  it('has the name of its log on disk before anything is written, even after it was closed', async () => {
    await file.close();
    const synced: string[] = [];
    const sync = async (fd: number) => void synced.push(fstatSync(fd).isDirectory() ? readdirSync(directory).toSorted().join() : 'log');
    await reopen({ sync });
    expect(synced).toEqual(['log', expect.stringContaining('data.sqlite-wal')]);
  });

  it('is a single complete file after close', async () => {
    const last = file.write(put(['a', 1]));
    await Promise.all([file.close(), last]);
    expect(readdirSync(directory)).toEqual(['data.sqlite']);
    await reopen();
    expect(keys()).toEqual(['a']);
  });

  it('refuses everything after close', async () => {
    await file.close();
    await file.close();
    await expect(file.write(put(['a', 1]))).rejects.toThrow(FileClosed);
    await expect(file.migrate(pairs)).rejects.toThrow(FileClosed);
    expect(() => keys()).toThrow(FileClosed);
    // Logs show the error's name.
    expect(new FileClosed(path).name).toBe('FileClosed');
  });

  it('acknowledges a write after a sync that began when the write was in the log', async () => {
    await file.close();
    const sizes: number[] = [];
    const syncs: PromiseWithResolvers<void>[] = [];
    await reopen({
      sync: (log) => {
        if (fstatSync(log).isDirectory()) return Promise.resolve();
        sizes.push(fstatSync(log).size);
        const each = Promise.withResolvers<void>();
        if (sizes.length === 1) each.resolve();
        else syncs.push(each);
        return each.promise;
      },
    });
    let acknowledged = false;
    const write = file.write(put(['a', 1])).then(() => (acknowledged = true));
    while (syncs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sizes[1]).toBeGreaterThan(sizes[0]!);
    expect([acknowledged, keys()]).toEqual([false, []]);
    syncs[0]!.resolve();
    await write;
    expect(keys()).toEqual(['a']);
  });

  it('can be open twice', async () => {
    const other = await openSqliteFile(path);
    await Promise.all(['a', 'b', 'c', 'd'].map((key, i) => (i % 2 ? file : other).write(put([key, 1]))));
    expect([keys(), keys(other)]).toEqual([keys(), ['a', 'b', 'c', 'd']]);
    await other.close();
  });

  it('is refused if it is not a database, or cannot be created', async () => {
    writeFileSync(join(directory, 'text'), 'not a database, and long enough to be looked at as one'.repeat(30));
    await expect(openSqliteFile(join(directory, 'text'))).rejects.toThrow(/text: file is not a database/);
    await expect(openSqliteFile(join(directory, 'no', 'such'))).rejects.toThrow(/unable to open/);
    await expect(openSqliteFile(':memory:')).rejects.toThrow(/journal mode is memory/);
  });
});
