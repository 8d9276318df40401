import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Growth } from './growth.ts';

/** Whether a wait has ended after a turn of the event loop and a due timer. */
async function hasEnded(wait: Promise<void>): Promise<boolean> {
  let ended = false;
  void wait.then(() => (ended = true));
  await new Promise((resolve) => setTimeout(resolve));
  await setImmediate();
  return ended;
}

describe('a wait for a log to grow', () => {
  it('ends only with an append if it has no time limit', async () => {
    const growth = new Growth();
    const waits = [growth.wait(), growth.wait()];
    expect(await Promise.all(waits.map(hasEnded))).toEqual([false, false]);
    growth.wake();
    expect(await Promise.all(waits.map(hasEnded))).toEqual([true, true]);
  });
  it('ends when its signal is aborted, and at once for an already aborted signal', async () => {
    const growth = new Growth();
    const reader = new AbortController();
    const [left, stays] = [growth.wait(reader.signal), growth.wait()];
    reader.abort();
    await Promise.all([left, growth.wait(reader.signal)]);
    expect(await hasEnded(stays)).toBe(false);
    growth.end();
    await stays;
  });
  it('ends at once if the log has ended', async () => {
    const growth = new Growth();
    growth.end();
    await growth.wait();
  });
  it('ends after its time limit, even without an append', async () => {
    await new Growth(5).wait();
  });
});
