import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { endOf, firstDayOf, type Period } from './periods.ts';

describe('the period of a moment', () => {
  it.each<[Period, string, string, string]>([
    ['DAY', '2026-11-22T23:59:59.999Z', '2026-11-22', '2026-11-23'],
    ['WEEK', '2026-11-22T23:59:59.999Z', '2026-11-16', '2026-11-23'],
    ['WEEK', '2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-30'],
    ['WEEK', '2026-12-31T12:00:00.000Z', '2026-12-28', '2027-01-04'],
    ['MONTH', '2026-12-31T12:00:00.000Z', '2026-12-01', '2027-01-01'],
    ['MONTH', '2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01'],
  ])('%s at %s is from %s to %s', (period, at, first, end) => {
    const moment = Instant.parse(at);
    expect([firstDayOf(period, moment), Instant.toString(endOf(period, moment))]).toEqual([first, `${end}T00:00:00.000Z`]);
  });
});
