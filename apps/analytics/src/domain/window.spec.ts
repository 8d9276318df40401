import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import {
  type LongStretch,
  longStretchesOf,
  monthAfter,
  stretchesOf,
  type Window,
  requestedWindow,
  windowBefore,
  windowOfHours,
  windowOfMonth,
} from './window.ts';

const now = Instant.ofMillis(Date.parse('2026-11-22T18:00:00Z'));
const asked = (from?: string, to?: string) => requestedWindow({ from, to, names: ['start', 'end'] }, now, '2025-10');

describe('a window', () => {
  it('is the current month by default', () => {
    expect(asked()).toEqual({ from: '2026-11-01T00', to: '2026-11-30T23', month: '2026-11' });
  });
  it('is the month if the hours span one, in leap years too', () => {
    expect(windowOfHours('2024-02-01T00', '2024-02-29T23')).toEqual(windowOfMonth('2024-02'));
    expect(windowOfHours('2026-02-01T00', '2026-02-28T22').month).toBeUndefined();
  });
  it('before the retention period is a complete month', () => {
    expect(asked('2020-02-01T00', '2020-02-29T23').month).toBe('2020-02');
    expect(() => asked('2025-09-30T00', '2025-10-02T00')).toThrow(Refusal);
  });
  it.each([
    ['2026-11-01T00', undefined],
    [undefined, '2026-11-01T00'],
    ['2026-11-01T01', '2026-11-01T00'],
    ['2025-10-01T00', '2026-10-03T00'],
  ])('from %s to %s is refused', (from, to) => expect(() => asked(from, to)).toThrow(Refusal));
});

describe('the window before', () => {
  it.each([
    [windowOfMonth('2026-03'), windowOfMonth('2026-02')],
    [windowOfMonth('2026-01'), windowOfMonth('2025-12')],
    [
      { from: '2026-03-03T00', to: '2026-03-04T23' },
      { from: '2026-03-01T00', to: '2026-03-02T23' },
    ],
    [{ from: '2026-03-01T00', to: '2026-03-28T23' }, windowOfMonth('2026-02')],
    [
      { from: '2026-03-01T05', to: '2026-03-01T05' },
      { from: '2026-03-01T04', to: '2026-03-01T04' },
    ],
  ])('of %j is %j', (window, before) => expect(windowBefore(window)).toEqual(before));
});

describe('the stretches of a window', () => {
  it.each([
    ['2026-11-01T00', '2026-11-02T23', 'days 2026-11-01 2026-11-02'],
    ['2026-11-01T01', '2026-11-01T02', 'hours 2026-11-01T01 2026-11-01T02'],
    ['2026-11-01T22', '2026-11-02T01', 'hours 2026-11-01T22 2026-11-01T23, hours 2026-11-02T00 2026-11-02T01'],
    ['2026-11-01T01', '2026-11-03T23', 'hours 2026-11-01T01 2026-11-01T23, days 2026-11-02 2026-11-03'],
  ])('from %s to %s are %s', (from, to, expected) => {
    const stretches = stretchesOf({ from, to }).map(({ rows, ...its }) => `${rows} ${its.from} ${its.to}`);
    expect(stretches.join(', ')).toBe(expected);
  });
  it.each([
    ['2026-01-15T00', '2026-03-31T23', 'days 2026-01-15 2026-01-31, months 2026-02 2026-03'],
    ['2026-01-01T01', '2026-02-28T22', 'hours 2026-01-01T01 2026-01-01T23, days 2026-01-02 2026-02-27, hours 2026-02-28T00 2026-02-28T22'],
    ['2025-12-01T00', '2026-02-01T23', 'months 2025-12 2026-01, days 2026-02-01 2026-02-01'],
    ['2026-01-31T23', '2026-03-01T00', 'hours 2026-01-31T23 2026-01-31T23, months 2026-02 2026-02, hours 2026-03-01T00 2026-03-01T00'],
  ])('from %s to %s are, with months, %s', (from, to, expected) => {
    const stretches = longStretchesOf({ from, to }).map(({ rows, ...its }) => `${rows} ${its.from} ${its.to}`);
    expect(stretches.join(', ')).toBe(expected);
  });
  const hoursOf = ({ rows, from, to }: LongStretch): readonly [string, string] => {
    if (rows === 'hours') return [from, to];
    return rows === 'days' ? [`${from}T00`, `${to}T23`] : [`${from}-01T00`, windowOfMonth(to).to];
  };
  it.each([
    ['days', (window: Window): readonly LongStretch[] => stretchesOf(window), 100],
    ['days and months', longStretchesOf, 9_000],
  ])('with hours and %s covers each hour once, in order', (_, stretches, longest) => {
    const hourOf = (count: number) => new Date(Date.UTC(2026, 0, 30, count)).toISOString().slice(0, 13);
    const numberOf = (hour: string) => Date.parse(`${hour}:00:00Z`) / 3_600_000;
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(longest), (begin, length) => {
        const [from, to] = [hourOf(begin), hourOf(begin + length)];
        let next = numberOf(from);
        for (const stretch of stretches({ from, to })) {
          const [first, last] = hoursOf(stretch);
          expect(numberOf(first)).toBe(next);
          expect(last >= first).toBe(true);
          next = numberOf(last) + 1;
        }
        expect(next).toBe(numberOf(to) + 1);
      }),
    );
  });
  it('uses consecutive months across the end of a year', () =>
    expect([monthAfter('2025-12-31', 1), monthAfter('2026-01', -1)]).toEqual(['2026-01', '2025-12']));
});
