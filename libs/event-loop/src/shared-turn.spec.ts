import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isTurnOver, nextTurn } from './shared-turn.ts';

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

  it('lets other work run before it', async () => {
    let isDone = false;
    setImmediate(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(true);
  });
});
