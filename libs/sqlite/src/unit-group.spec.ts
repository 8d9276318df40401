import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { file, put, reopen } from '../test/pairs-file.ts';
import { WriteFailed } from './errors.ts';
import { runGroup, type Unit } from './unit-group.ts';

const unitOf = (work: () => void): Unit => ({ work, sortsInFile: false, since: 0, resolve: () => undefined, reject: () => undefined });

describe('a group of units', () => {
  it('fails all waiting units if the file is locked, however many there are', () => {
    const database = { isTransaction: false } as never;
    const locked = () => {
      throw Object.assign(new Error('database is locked'), { errcode: 5 });
    };
    const unit = unitOf(() => undefined);
    const queue = Array.from({ length: 300_000 }, () => unit);
    const { outcomes, written } = runGroup(database, { run: locked } as never, queue);
    expect([outcomes.length, queue.length, written]).toEqual([300_000, 0, false]);
    expect(outcomes.at(-1)).toMatchObject({ error: expect.any(WriteFailed) });
  });

  it('has savepoints only for the units after the first one that writes', () => {
    const ran: string[] = [];
    const database = { isTransaction: true } as never;
    const failing = () => {
      throw new Error('conflict');
    };
    const queue = [failing, () => ran.push('first'), () => ran.push('second')].map(unitOf);
    runGroup(database, { run: (sql: string) => ran.push(sql) } as never, queue);
    const first = ['BEGIN IMMEDIATE', 'ROLLBACK', 'BEGIN IMMEDIATE', 'first'];
    expect(ran).toEqual([...first, 'SAVEPOINT unit', 'second', 'RELEASE unit', 'COMMIT']);
  });

  it('leaves units beyond 256 to the next group', () => {
    const queue = Array.from({ length: 300 }, () => unitOf(() => undefined));
    const { outcomes } = runGroup({ isTransaction: true } as never, { run: () => 0 } as never, queue);
    expect([outcomes.length, queue.length]).toEqual([256, 44]);
  });

  it('leaves the rest of the queue to the next group after a unit that took much processor time', () => {
    const busy = () => {
      const start = process.threadCpuUsage();
      while (process.threadCpuUsage(start).user < 20_000);
    };
    const queue = [busy, () => undefined].map(unitOf);
    const { outcomes } = runGroup({ isTransaction: true } as never, { run: () => 0 } as never, queue);
    expect([outcomes.length, queue.length]).toEqual([1, 1]);
  });

  it('does not count time in which the thread does not run', () => {
    const paused = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    const queue = [paused, () => undefined].map(unitOf);
    const { outcomes } = runGroup({ isTransaction: true } as never, { run: () => 0 } as never, queue);
    expect([outcomes.length, queue.length]).toEqual([2, 0]);
  });

  it('writes each page that changes once', async () => {
    // Only Linux counts the bytes.
    const io = '/proc/self/io';
    const written = () => (existsSync(io) ? Number(/wchar: (\d+)/.exec(readFileSync(io, 'latin1'))![1]) : 0);
    const rows = Array.from({ length: 400 }, (_, row) => [String(row), 'x'.repeat(3_000)] as const);
    await file.write(put(...rows));
    await file.close();
    await reopen();
    const update = (parity: number) =>
      file.write((transaction) => transaction.run('UPDATE pairs SET value = ? WHERE key % 2 = ?', 'y'.repeat(3_000), parity));
    const before = written();
    await Promise.all([update(0), update(1)]);
    // One page for each row, and a few more.
    expect(written() - before).toBeLessThan(500 * 4_120);
  });
});
