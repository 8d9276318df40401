import { fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, jest } from '@jest/globals';
import { directory, file, path, put, reopen } from '../test/pairs-file.ts';
import { checkpointer } from './checkpointer.ts';

describe('a file whose log is moved', () => {
  it('seldom tries to move the log while another connection reads', async () => {
    const backup = new DatabaseSync(path);
    backup.exec('BEGIN');
    backup.prepare('SELECT count(*) FROM pairs').get();
    const tries = jest.spyOn(checkpointer, 'run');
    let number = 0;
    const write = async (bytes: number) => {
      await file.write(put([String(number++), 'x'.repeat(bytes)]));
      // Each attempt ends before the next write, so that each write could start another attempt.
      for (let seen = -1; seen < tries.mock.calls.length; await new Promise((resolve) => setImmediate(resolve))) {
        seen = tries.mock.calls.length;
        await Promise.all(tries.mock.results.map(({ value }) => value));
      }
    };
    for (let index = 0; index < 9; index += 1) await write(1024 * 1024);
    for (let index = 0; index < 20; index += 1) await write(1);
    expect(tries.mock.calls.length).toBeLessThanOrEqual(4);
    for (let index = 0; index < 16; index += 1) await write(1024 * 1024);
    const { size } = statSync(`${path}-wal`);
    backup.close();
    // The next attempts succeed, and the log is truncated to its usual size.
    for (let index = 0; index < 65 && statSync(`${path}-wal`).size >= size; index += 1) await write(1024 * 1024);
    expect(statSync(`${path}-wal`).size).toBe(16 * 1024 * 1024);
    tries.mockClear();
    for (let index = 0; index < 32; index += 1) await write(1024 * 1024);
    expect(tries.mock.calls.length).toBeGreaterThan(3);
  });

  it('lets SQLite sync the header of a reused log', async () => {
    const header = () => readFileSync(`${path}-wal`).toString('hex', 0, 32);
    await file.write(put(['a', 1]));
    const before = header();
    expect(await checkpointer.run(path, 'PASSIVE')).toBe(false);
    await file.write(put(['b', 1]));
    // The log was not truncated, so old frames follow the new header.
    expect(header()).not.toBe(before);
    // 1 means NORMAL. With 0, nothing would sync the header before the frames.
    expect(await file.write((transaction) => ({ ...transaction.get<object>('PRAGMA synchronous') }))).toEqual({ synchronous: 1 });
  });

  it('syncs the copied pages before it delays writes to copy the rest', async () => {
    await file.close();
    const calls: string[] = [];
    const { ino } = statSync(path);
    await reopen({ sync: async (fd) => void (fstatSync(fd).ino === ino && calls.push('file synced')) });
    const run = checkpointer.run.bind(checkpointer);
    jest.spyOn(checkpointer, 'run').mockImplementation((args, mode) => {
      calls.push(mode);
      return run(args, mode);
    });
    for (let number = 0; calls.length < 3; number += 1) await file.write(put([String(number), 'x'.repeat(100_000)]));
    expect(calls.slice(0, 3)).toEqual(['PASSIVE', 'file synced', 'PASSIVE']);
    await file.checkpoint();
    expect(calls.slice(-3)).toEqual(['PASSIVE', 'file synced', 'TRUNCATE']);
  });

  it.each(['a truncation', 'large writes'])('has one move at a time: %s waits for the running move', async (next) => {
    const end = Promise.withResolvers<void>();
    const run = checkpointer.run.bind(checkpointer);
    const held = jest.spyOn(checkpointer, 'run').mockImplementation(async (...args) => {
      await end.promise;
      return run(...args);
    });
    let number = 0;
    const large = () => file.write(put([String(number++), 'x'.repeat(100_000)]));
    const moves: Promise<boolean>[] = [];
    if (next === 'a truncation') while (held.mock.calls.length === 0) await large();
    moves.push(file.checkpoint());
    if (next === 'large writes') for (let index = 0; index < 100; index++) await large();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    const calls = held.mock.calls.length;
    end.resolve();
    expect([calls, await Promise.all(moves)]).toEqual([1, [true]]);
  });

  it('is closed after a running move of its log', async () => {
    const end = Promise.withResolvers<void>();
    const run = checkpointer.run.bind(checkpointer);
    const held = jest.spyOn(checkpointer, 'run').mockImplementation(async (...args) => {
      await end.promise;
      return run(...args);
    });
    for (let number = 0; held.mock.calls.length === 0; number += 1) await file.write(put([String(number), 'x'.repeat(100_000)]));
    let isClosed = false;
    const closed = file.close().then(() => (isClosed = true));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    end.resolve();
    await closed;
    expect(readdirSync(directory)).toEqual(['data.sqlite']);
    await reopen();
  });

  it('reports each failed move of the log, and continues', async () => {
    await file.close();
    const reported: string[] = [];
    await reopen({ onMoveFailed: ({ message }) => reported.push(message) });
    const run = jest.spyOn(checkpointer, 'run').mockRejectedValue(new Error('database or disk is full'));
    for (let number = 0; reported.length < 2; number += 1) await file.write(put([String(number), 'x'.repeat(1024 * 1024)]));
    expect(reported).toEqual(Array(2).fill('database or disk is full'));
    run.mockRestore();
    await file.write(put(['later', 1]));
  });
});
