import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { windowOfCompactHours, windowOfDays, windowOfPeriod } from './windows.ts';

const now = Instant.parse('2026-11-22T19:00:00Z');
const wrong = (path: string) => expect.objectContaining({ code: 'invalid_window', facts: { errors: [expect.objectContaining({ path })] } });

describe('a window of whole days', () => {
  it('ends today, and has 30 days by default', () => {
    expect(windowOfDays({}, now)).toEqual({ from: '2026-10-24T00', to: '2026-11-22T23' });
    expect(windowOfDays({ days: 1 }, now)).toEqual({ from: '2026-11-22T00', to: '2026-11-22T23' });
  });
  it('has at most 366 days', () => {
    const until = (start_date: string) => () => windowOfDays({ start_date, end_date: '2026-11-22' }, now);
    expect(until('2025-11-22')()).toEqual({ from: '2025-11-22T00', to: '2026-11-22T23' });
    expect(until('2025-11-21')).toThrow(wrong('end_date'));
  });
  it('accepts a number of days or dates, not both', () =>
    expect(() => windowOfDays({ days: 3, start_date: '2026-11-01', end_date: '2026-11-02' }, now)).toThrow(wrong('days')));
  it('must not contain days that are no longer kept', () =>
    expect(() => windowOfDays({ start_date: '2025-01-01', end_date: '2025-01-31' }, now)).toThrow(wrong('start_date')));
});

describe('a window of hours', () => {
  it('must not contain a date that does not exist', () =>
    expect(() => windowOfCompactHours('2026023000', '2026030100', now)).toThrow(wrong('start')));
  it('must not end before it begins', () =>
    expect(() => windowOfPeriod({ start_time: 1_795_000_000, end_time: 1_794_999_999 }, now)).toThrow(wrong('end_time')));
});
