import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import type { LimitRows } from '../src/rows.ts';

/** The rows of one service, opened once per replica. */
export interface RowsFixture {
  open(): Promise<LimitRows>;
  remove(): Promise<void>;
}

export interface RowsCase {
  readonly name: string;
  run(fixture: RowsFixture): Promise<void>;
}

interface Count {
  readonly count: number;
}

const HOUR = 3_600_000;
const countUp = (rows: LimitRows, key = 'k') =>
  rows.change<Count, number>(key, (row) => {
    const count = (row?.count ?? 0) + 1;
    return { row: { count }, keptMillis: HOUR, answer: count };
  });
const read = (rows: LimitRows, key = 'k') => rows.change<Count, Count | null>(key, (row) => ({ row, keptMillis: HOUR, answer: row }));
const timeOf = (rows: LimitRows) => rows.change<Count, number>('t', (_, now) => ({ row: null, keptMillis: 0, answer: now }));

/** The cases that every store of rows must pass. They are plain functions, so that they can also test stores that are broken on purpose. */
export const limitRowsCases: readonly RowsCase[] = [
  {
    name: 'begins without rows',
    async run(fixture) {
      strictEqual(await read(await fixture.open()), null);
    },
  },
  {
    name: 'shows a change to every replica as soon as the change resolves',
    async run(fixture) {
      const [here, there] = [await fixture.open(), await fixture.open()];
      for (let count = 1; count <= 10; count++) {
        await countUp(here);
        deepStrictEqual(await read(there), { count });
      }
    },
  },
  {
    name: 'loses none of many concurrent changes',
    async run(fixture) {
      const replicas = [await fixture.open(), await fixture.open(), await fixture.open()];
      const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => countUp(replicas[n % 3]!)));
      deepStrictEqual(
        answers.toSorted((a, b) => a - b),
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      deepStrictEqual(await read(replicas[0]!), { count: 30 });
    },
  },
  {
    name: 'keeps rows apart',
    async run(fixture) {
      const rows = await fixture.open();
      await Promise.all([countUp(rows, 'a'), countUp(rows, 'b'), countUp(rows, 'a')]);
      deepStrictEqual([await read(rows, 'a'), await read(rows, 'b')], [{ count: 2 }, { count: 1 }]);
    },
  },
  {
    name: 'removes a row that a change makes null, and begins again',
    async run(fixture) {
      const [here, there] = [await fixture.open(), await fixture.open()];
      await countUp(here);
      await there.change<Count, null>('k', () => ({ row: null, keptMillis: 0, answer: null }));
      strictEqual(await read(here), null);
      strictEqual(await countUp(here), 1);
    },
  },
  {
    name: 'forgets a row that is no longer kept',
    async run(fixture) {
      const rows = await fixture.open();
      await rows.change<Count, null>('k', () => ({ row: { count: 5 }, keptMillis: 0, answer: null }));
      strictEqual(await countUp(rows), 1);
    },
  },
  {
    name: 'changes nothing when the change throws',
    async run(fixture) {
      const rows = await fixture.open();
      await countUp(rows);
      const error = await rows
        .change('k', () => {
          throw new Error('no');
        })
        .catch((thrown: Error) => thrown.message);
      strictEqual(error, 'no');
      deepStrictEqual(await read(rows), { count: 1 });
    },
  },
  {
    name: 'has one advancing time for all replicas',
    async run(fixture) {
      const replicas = [await fixture.open(), await fixture.open()];
      const times: number[] = [];
      for (let n = 0; n < 6; n++) times.push(await timeOf(replicas[n % 2]!));
      deepStrictEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      while ((await timeOf(replicas[0]!)) === times[0]) await new Promise(setImmediate);
    },
  },
];

/** The contract as a suite, each case with its own fixture. */
export function limitRowsContract(name: string, makeFixture: () => Promise<RowsFixture>): void {
  describe(`${name} as a store of limit rows`, () => {
    let fixture: RowsFixture;
    beforeEach(async () => {
      fixture = await makeFixture();
    });
    afterEach(() => fixture.remove());
    for (const { name: sentence, run } of limitRowsCases) it(sentence, () => run(fixture));
  });
}
