import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { faultOfSchedule, nextRun } from './schedules.ts';

const noon = Instant.parse('2026-03-04T12:00:00Z');
const next = (schedule: string, after = noon) => {
  const at = nextRun(schedule, after);
  return at && Instant.toString(at);
};

describe('the next run of a schedule', () => {
  it.each([
    ['0 3 * * *', '2026-03-05T03:00:00.000Z'],
    ['0 3 * * 1', '2026-03-09T03:00:00.000Z'],
    ['*/15 * * * *', '2026-03-04T12:15:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
  ])('of %s is in UTC', (schedule, expected) => expect(next(schedule)).toBe(expected));
  it('is after the given time', () => expect(next('0 12 * * *')).toBe('2026-03-05T12:00:00.000Z'));
  it('is null without a schedule', () => expect(nextRun(null, noon)).toBeNull());
  it('is null for a schedule that a later release wrote', () => expect(nextRun('@someday', noon)).toBeNull());
});

describe('a schedule is refused', () => {
  it.each(['', 'daily', '* * *', '0 0 3 * * *', '61 * * * *'])('if it does not have five valid fields: %j', (schedule) =>
    expect(faultOfSchedule(schedule, noon)).toContain('five fields'),
  );
  it.each(['* * * * *', '*/14 * * * *', '0,14 3 * * *', '0,59 * * * *'])('if two runs are too close: %s', (schedule) =>
    expect(faultOfSchedule(schedule, noon)).toContain('15 minutes'),
  );
  it('if it never runs', () => expect(faultOfSchedule('0 0 31 2 *', noon)).toBe('must have a next run'));
  it.each(['*/15 * * * *', '0 3 * * 1', '5,35 8-18 * * MON-FRI'])('but not %s', (schedule) =>
    expect(faultOfSchedule(schedule, noon)).toBeNull(),
  );
});
