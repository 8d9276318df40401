import { describe, expect, it } from '@jest/globals';
import { largestFirst, recentPeriods, usageSearch } from './periods.ts';

describe('the months of usage', () => {
  it('cross the end of a year', () => {
    const periods = recentPeriods(new Date('2026-01-31T23:30:00Z'));
    expect([periods.length, periods[0], periods[1], periods.at(-1)]).toEqual([13, '2026-01', '2025-12', '2025-01']);
  });
  it('are in UTC', () => expect(recentPeriods(new Date('2026-02-28T23:30:00-05:00'))[0]).toBe('2026-03'));
  it('are taken from the address if they are months', () => {
    expect([usageSearch({ period: '2026-09' }), usageSearch({ period: '2026-13' }), usageSearch({ period: 2026 })]).toEqual([
      { period: '2026-09' },
      {},
      {},
    ]);
  });
});

it('put the largest part of a sum first', () => {
  expect(largestFirst({ small: 0.1, large: 2 }).map(({ id }) => id)).toEqual(['large', 'small']);
});
