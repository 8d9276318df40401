import { dateAfter, datesIn, daysIn, lastDateOf, lastMonths, monthAfter } from './months.ts';

describe('months and dates in UTC', () => {
  it('crosses the end of a year', () => {
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
  });

  it('lists the last months, the newest first', () =>
    expect(lastMonths(new Date('2026-02-28T23:30:00Z'), 3)).toEqual(['2026-02', '2026-01', '2025-12']));

  it('knows the last date of a month', () => {
    expect(lastDateOf('2028-02')).toBe('2028-02-29');
    expect(lastDateOf('2026-12')).toBe('2026-12-31');
  });

  it('counts both ends of a range', () => {
    expect(daysIn('2026-11-01', '2026-11-30')).toBe(30);
    expect(datesIn('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(datesIn('2026-02-02', '2026-02-01')).toEqual([]);
  });

  it('adds days across the end of a month', () => expect(dateAfter('2026-01-31', 1)).toBe('2026-02-01'));
});
