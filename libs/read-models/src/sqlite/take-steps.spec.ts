import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openSqliteFile, type Transaction } from '@parlance/sqlite';
import { endAll, atEnd } from '../../test/accounts.ts';
import { add, put } from '../changes.ts';
import { Declared } from '../declared.ts';
import type { Step } from '../read-models.ts';
import { table } from '../table.ts';
import { Rows } from './rows.ts';
import { Taking } from './take-steps.ts';

const sums = table<{ count: number }>('sums');
const things = table<{ nth: number }>('things');

/** Each step adds to one sum and puts two rows of its own. */
const steps = Array.from({ length: 1_000 }, (_, nth): Step => {
  const own = ['a', 'b'].map((name) => put(things, `${nth}${name}`, { nth }));
  return { to: `${nth + 1}`, changes: [add(sums, 'all', { count: 1 }, {}), ...own] };
});

async function rowsInFile() {
  const directory = await mkdtemp(join(tmpdir(), 'take-steps-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'models.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const rows = new Rows(new Declared({ name: 'mine', version: 1, tables: [sums, things] }, 0, '@v1'));
  await file.write((transaction) => rows.create(transaction));
  let written: string[] = [];
  const watched = (transaction: Transaction): Transaction => ({
    get: (sql, ...params) => transaction.get(sql, ...params),
    all: (sql, ...params) => transaction.all(sql, ...params),
    run(sql, ...params) {
      written.push(sql.includes('"sums@v1"') ? 'sum' : 'thing');
      now += writeMs;
      return transaction.run(sql, ...params);
    },
  });
  let [now, writeMs] = [1_000, 0];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    sum: () => JSON.parse(file.get<{ row: string }>(`SELECT row FROM "sums@v1"`)!.row) as object,
    takeNothing: () =>
      file.write((transaction) => {
        const taking = new Taking(rows, transaction);
        const place = taking.take({ line: '', at: '0' }, [{ to: '1', changes: [] }]);
        taking.write();
        return place;
      }),
    /** The place after one unit, and what it wrote. A row takes so many milliseconds. */
    async take(ms: number, from: number) {
      writeMs = ms;
      written = [];
      const at = await file.write((transaction) => {
        const taking = new Taking(rows, watched(transaction));
        const [place] = taking.take({ line: '', at: `${from}` }, steps.slice(from));
        taking.write();
        return place;
      });
      return { at: Number(at), written: written.length, sums: written.filter((one) => one === 'sum').length };
    },
  };
}

describe('a unit of work on rows', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    await endAll();
  });

  it('writes a row once even if many steps change it', async () => {
    const { take, sum } = await rowsInFile();
    const { at, sums: ofSum } = await take(0.1, 0);
    expect([ofSum, sum()]).toEqual([1, { count: at }]);
  });
  it('ends when writing the pending rows would take longer than its time', async () => {
    const { take } = await rowsInFile();
    const { at, written } = await take(0.1, 0);
    // 0.1 ms for each, and 8 ms in all.
    expect(written).toBeGreaterThan(80);
    expect(written).toBeLessThanOrEqual(83);
    expect(written).toBe(2 * at + 1);
  });
  it('learns how long a row takes', async () => {
    const { take } = await rowsInFile();
    let [from, before] = [0, 0];
    for (let units = 0; units < 4; units++) {
      const { at, written } = await take(0.05, from);
      expect(written).toBeGreaterThan(before);
      [from, before] = [at, written];
    }
    // Slower ones count at once.
    const slow = await take(10, from);
    // One step.
    expect((await take(10, slow.at)).written).toBe(3);
  });
  it('writes a limited number of rows, however fast they were before', async () => {
    const { take } = await rowsInFile();
    for (let units = 0; units < 20; units++) await take(0, 0);
    // The last step has two rows of its own.
    expect((await take(0, 0)).written).toBe(257);
  });
  it('still keeps to its time after a unit that has changed no row', async () => {
    const { take, takeNothing } = await rowsInFile();
    await takeNothing();
    expect((await take(0.1, 0)).written).toBeLessThanOrEqual(83);
  });
});
