import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { inTurns, isTurnOver, nextTurn } from './shared-turn.ts';

describe('a shared turn of the event loop', () => {
  afterEach(() => void jest.restoreAllMocks());

  // The security page names this time.
  it('is over after 4 milliseconds', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    await nextTurn();
    expect(isTurnOver()).toBe(false);
    now += 3.9;
    expect(isTurnOver()).toBe(false);
    now += 0.1;
    expect(isTurnOver()).toBe(true);
    await nextTurn();
    now -= 500;
    expect(isTurnOver()).toBe(true);
  });

  it('is the same turn for all tasks that wait for it', async () => {
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 50 }, () => nextTurn()));
    isCounting = false;
    expect(turns).toBeLessThanOrEqual(2);
  });

  it('has one time for all tasks that wait for it', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let done = 0;
    const task = async () => {
      await nextTurn();
      while (!isTurnOver()) {
        now += 1;
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: 10 }, task));
    expect(done).toBe(4);
  });

  it('lets other work run before it', async () => {
    let isDone = false;
    setImmediate(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(true);
  });

  it('is left after each group of items that takes longer than it', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const atOnce: number[] = [];
    let running = 0;
    const results = await inTurns([1, 2, 3, 4, 5], 2, async (item) => {
      atOnce.push((running += 1));
      now += 3;
      await Promise.resolve();
      running -= 1;
      return 10 * item;
    });
    clearImmediate(next);
    expect([results, atOnce]).toEqual([
      [10, 20, 30, 40, 50],
      [1, 2, 1, 2, 1],
    ]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
