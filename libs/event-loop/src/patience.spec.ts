import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { afterSilence } from './patience.ts';

describe('waiting for something to arrive', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('ends after its time', () => {
    const then = jest.fn();
    afterSilence(1_000, then);
    jest.advanceTimersByTime(999);
    expect(then).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(then).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is stopped at any time', () => {
    const then = jest.fn();
    const stop = afterSilence(1_000, then);
    jest.advanceTimersByTime(600);
    stop();
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(then).not.toHaveBeenCalled();
  });

  it('goes on after a busy moment that took longer', async () => {
    jest.useRealTimers();
    const order: string[] = [];
    const ended = new Promise<void>((resolve) => {
      afterSilence(80, () => {
        order.push('silence');
        resolve();
      });
    });
    for (const end = performance.now() + 200; performance.now() < end;);
    // What arrived meanwhile is read after the timers.
    setTimeout(() => setImmediate(() => order.push('arrived')), 0);
    await ended;
    expect(order).toEqual(['arrived', 'silence']);
  });
});
