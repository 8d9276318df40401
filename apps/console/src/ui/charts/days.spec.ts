import { daysOf, labelledDays, valuesOf } from './days.ts';

const series = (...points: [date: string, value: number | null][]) => ({
  name: 'Requests',
  points: points.map(([date, value]) => ({ date, value })),
});

describe('the days of a chart', () => {
  it('are all days from the first to the last point of all series', () =>
    expect(daysOf([series(['2026-02-27', 1]), series(['2026-03-01', 2])])).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']));

  it('are bounded, because a wrong date would stop the page', () =>
    expect(daysOf([series(['0001-01-01', 1], ['2026-01-01', 1])])).toHaveLength(1_000));

  it('are none without points', () => expect(daysOf([series()])).toEqual([]));

  it('have the given value where a series has no point, and null where nothing was measured', () =>
    expect(valuesOf(series(['2026-01-01', 4], ['2026-01-03', null]), ['2026-01-01', '2026-01-02', '2026-01-03'], 0)).toEqual([4, 0, null]));

  it('are labelled as often as fits', () => {
    expect(labelledDays(30, 6)).toEqual([0, 5, 10, 15, 20, 25]);
    expect(labelledDays(3, 6)).toEqual([0, 1, 2]);
  });
});
