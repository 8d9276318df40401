import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.ts';

/** The borrowed amounts of a process with this many uses per second. */
function borrowed(perSecond: number, seconds: number, pace = new Pace()): number[] {
  const amounts: number[] = [];
  for (let millis = 0; millis < seconds * 1_000; millis += (amounts.at(-1)! * 1_000) / perSecond) amounts.push(pace.next(millis));
  return amounts;
}

describe('the pace of borrowing', () => {
  it('starts with one', () => expect(borrowed(1_000, 0.001)).toEqual([1]));
  it.each([0.1, 3, 50, 2_000])('borrows about once a second for %d uses a second', (perSecond) => {
    const amounts = borrowed(perSecond, 60);
    expect(amounts.length).toBeLessThan(60 + 12);
    const last = amounts.at(-1)!;
    expect(last).toBeLessThanOrEqual(Math.max(1, 2 * perSecond));
  });
  it('decreases when less is used', () => {
    const pace = new Pace();
    borrowed(1_000, 10, pace);
    const slow = [20_000, 30_000, 40_000, 50_000, 60_000, 70_000].map((at) => pace.next(at));
    expect(slow.at(-1)).toBeLessThanOrEqual(slow[0]! / 16);
  });
});
