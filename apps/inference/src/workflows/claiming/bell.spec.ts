import { describe, expect, it } from '@jest/globals';
import { Bell } from './bell.ts';

describe('a bell with many waiters', () => {
  it('wakes all of them, a few in each turn of the event loop', async () => {
    const bell = new Bell();
    const { signal } = new AbortController();
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const perTurn = new Map<number, number>();
    const woken = Array.from({ length: 100 }, () => bell.rung(signal).then(() => perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1)));
    bell.ring();
    await Promise.all(woken);
    clearImmediate(next);
    expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(16);
  });
});
