import { describe, expect, it } from '@jest/globals';
import { inTurnsAtOnce } from './in-turns-at-once.ts';

async function* numbers(count: number, read: number[] = []) {
  for (let index = 0; index < count; index++) {
    read.push(index);
    yield index;
  }
}

describe('work on the items of an iterator', () => {
  it('is done for each item', async () => {
    const done: number[] = [];
    await inTurnsAtOnce(numbers(9), 3, async (item) => void done.push(item));
    expect(done.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
  it('runs for this many items at once, and no more', async () => {
    let [now, most] = [0, 0];
    await inTurnsAtOnce(numbers(20), 4, async () => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
    });
    expect(most).toBe(4);
  });
  it('ends with the first error, after the other work in progress has ended', async () => {
    const [read, done]: [number[], number[]] = [[], []];
    const release: (() => void)[] = [];
    const working = inTurnsAtOnce(numbers(100, read), 2, async (item) => {
      if (item === 1) throw new Error('broken');
      await new Promise<void>((resolve) => release.push(resolve));
      done.push(item);
    }).catch((error: Error) => error.message);
    await new Promise(setImmediate);
    release.forEach((each) => each());
    await new Promise(setImmediate);
    release.forEach((each) => each());
    expect(await working).toBe('broken');
    expect(done).toContain(0);
    expect(read.length).toBeLessThan(5);
  });
  it('ends with an error of the iterator, after the work in progress has ended', async () => {
    const done: number[] = [];
    const broken = async function* () {
      yield 1;
      throw new Error('no more');
    };
    await expect(inTurnsAtOnce(broken(), 2, async (item) => void (await Promise.resolve(), done.push(item)))).rejects.toThrow('no more');
    expect(done).toEqual([1]);
  });
});
