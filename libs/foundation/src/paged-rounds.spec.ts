import { describe, expect, it } from '@jest/globals';
import { allAtOnce, PagedRounds, pageOf, type RoundOptions } from './paged-rounds.ts';

/** Rounds over the numbers below 10, in pages of 3, of which some fail. */
function rounds(...damaged: number[]) {
  const handled: number[] = [];
  const paged = new PagedRounds<number, number>('numbers could not be handled', (row) => `n${row}`);
  const read = async (after: number | null) => {
    const first = after === null ? 0 : after + 1;
    return pageOf(
      [first, first + 1, first + 2].filter((row) => row < 10),
      3,
      (row) => row,
    );
  };
  const handle = async (row: number) => {
    if (damaged.includes(row)) throw new Error(`damaged ${row}`);
    handled.push(row);
  };
  return { handled, run: (options?: RoundOptions) => paged.run(read, handle, options) };
}

describe('the rounds of a timer', () => {
  it('continue after a row that fails, and name it at the end', async () => {
    const { handled, run } = rounds(0, 2);
    await expect(run()).rejects.toMatchObject({
      message: '2 numbers could not be handled: n0, n2',
      errors: [new Error('damaged 0'), new Error('damaged 2')],
    });
    expect(handled).toEqual([1]);
  });

  it('continue after the last page, although rows before it always fail, and begin again after the last one', async () => {
    const { handled, run } = rounds(0, 1, 2);
    for (let round = 0; round < 5; round++) await run().catch(() => undefined);
    expect(handled).toEqual([3, 4, 5, 6, 7, 8, 9]);
    await expect(run()).resolves.toBeUndefined();
  });

  it('read further pages as long as there is time', async () => {
    const { handled, run } = rounds(4);
    await expect(run({ millis: 60_000, pace: allAtOnce() })).rejects.toThrow('1 numbers could not be handled: n4');
    expect(handled).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
  });

  it('begin again after a page that cannot be read', async () => {
    const paged = new PagedRounds<number, number>('numbers could not be handled', String);
    const read = async (after: number | null) => {
      if (after !== null) throw new Error('bad cursor');
      return { rows: [0], next: 0 };
    };
    const handled: number[] = [];
    const round = () => paged.run(read, async (row) => handled.push(row));
    await round();
    await expect(round()).rejects.toThrow('bad cursor');
    await round();
    expect(handled).toEqual([0, 0]);
  });

  it('end when the process stops', async () => {
    const { handled, run } = rounds();
    await run({ millis: 60_000, isStopping: () => handled.length === 4 });
    expect(handled).toEqual([0, 1, 2, 3]);
  });

  it('keep a limited number of errors', async () => {
    const paged = new PagedRounds<number, number>('failed', String);
    const run = paged.run(
      async () => ({ rows: Array.from({ length: 500 }, (_, row) => row), next: null }),
      () => Promise.reject(new Error('no')),
    );
    await expect(run).rejects.toMatchObject({ message: '500 failed: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 …', errors: { length: 10 } });
  });
});
