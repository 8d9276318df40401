import { changeOf, costMonths, movedTo, pointsOf, queryOf, spanAsked, spanBefore, spanOfMonth } from './cost-period.ts';

const now = new Date('2026-03-10T12:00:00Z');
const day = (date: string, cost: number, as_corrected = cost) => ({ date, cost, as_corrected, input_tokens: 1, output_tokens: 1 });

describe('the period of the costs', () => {
  it('is the current month unless the address has another', () => {
    expect(spanAsked({}, now)).toEqual({ from: '2026-03-01', to: '2026-03-31', month: '2026-03' });
    expect(spanAsked({ month: '2026-01' }, now).month).toBe('2026-01');
    expect(spanAsked({ from: '2026-03-05', to: '2026-03-07' }, now)).toEqual({ from: '2026-03-05', to: '2026-03-07' });
  });

  it('is compared with the previous month if it is a month', () =>
    expect(spanBefore(spanOfMonth('2026-03'))).toEqual(spanOfMonth('2026-02')));

  it('is compared with as many days before it otherwise', () =>
    expect(spanBefore({ from: '2026-03-01', to: '2026-03-03' })).toEqual({ from: '2026-02-26', to: '2026-02-28' }));

  it('is requested as a month, or from the first to the last hour', () => {
    expect(queryOf(spanOfMonth('2026-03'))).toEqual({ period: '2026-03' });
    expect(queryOf({ from: '2026-03-01', to: '2026-03-02' })).toEqual({ start_time: 1_772_323_200, end_time: 1_772_492_400 });
  });
});

it('shows the costs of a user in the current month and in the year before it', () =>
  expect(costMonths(now)).toEqual({ start_period: '2025-03', end_period: '2026-03' }));

describe('the days of the chart', () => {
  it('are zero if nothing was charged', () =>
    expect(pointsOf('Now', { from: '2026-03-01', to: '2026-03-03' }, [day('2026-03-02', 2, 3)]).points).toEqual([
      { date: '2026-03-01', value: 0 },
      { date: '2026-03-02', value: 2 },
      { date: '2026-03-03', value: 0 },
    ]));

  it('have corrected amounts on request', () =>
    expect(pointsOf('Now', { from: '2026-03-02', to: '2026-03-02' }, [day('2026-03-02', 2, 3)], true).points[0]?.value).toBe(3));

  it('show the first day of the previous period at the first day of this period', () => {
    const before = pointsOf('Before', spanOfMonth('2026-01'), [day('2026-01-01', 5), day('2026-01-31', 7)]);
    const { points } = movedTo(spanOfMonth('2026-02'), before);
    expect(points[0]).toEqual({ date: '2026-02-01', value: 5 });
    expect(points).toHaveLength(28);
  });
});

describe('the comparison', () => {
  it.each([
    [3, 2, { kind: 'more', share: 0.5 }],
    [1, 2, { kind: 'less', share: 0.5 }],
    [2.001, 2, { kind: 'same', share: 0 }],
    [201, 200, { kind: 'more', share: 0.005 }],
    [0, 0, { kind: 'same', share: 0 }],
    [1, 0, { kind: 'new', share: 0 }],
  ])('of %d with %d', (amount, before, change) => expect(changeOf(amount, before)).toEqual(change));
});
