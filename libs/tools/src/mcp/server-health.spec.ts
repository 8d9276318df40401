import { describe, expect, it } from '@jest/globals';
import { FAILED_CALLS, PAUSE_MILLIS } from './limits.ts';
import { ServerHealth } from './server-health.ts';

function opened() {
  const clock = { now: 0 };
  const health = new ServerHealth(() => clock.now);
  const fail = (times: number) => {
    for (let index = 0; index < times; index++) health.callFailed();
  };
  return { clock, health, fail };
}

describe('a server whose calls fail', () => {
  it('is not contacted after too many in a row', () => {
    const { health, fail } = opened();
    fail(FAILED_CALLS - 1);
    const before = health.isPaused;
    fail(1);
    expect([before, health.isPaused]).toEqual([false, true]);
  });
  it('is still contacted when a call between them works', () => {
    const { health, fail } = opened();
    fail(FAILED_CALLS - 1);
    health.worked();
    fail(FAILED_CALLS - 1);
    expect(health.isPaused).toBe(false);
  });
  it('is tried again after the pause, and paused after the same number of failures', () => {
    const { clock, health, fail } = opened();
    fail(FAILED_CALLS);
    clock.now = PAUSE_MILLIS - 1;
    const shortBefore = health.isPaused;
    clock.now = PAUSE_MILLIS;
    fail(FAILED_CALLS - 1);
    expect([shortBefore, health.isPaused]).toEqual([true, false]);
  });
});
