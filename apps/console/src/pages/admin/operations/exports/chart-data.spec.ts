import { chartable, pointsOf, timeOf } from './chart-data.ts';

const column = (name: string, type: string) => ({ name, type });
const answer = (columns: { name: string; type: string }[], rows: unknown[][]) => ({ columns, rows, truncated: false });

describe('times in results', () => {
  it.each([
    ['2026/11/23/09', '2026-11-23T09:00:00Z'],
    ['2026/11/23', '2026-11-23T00:00:00Z'],
    ['2026-11-23', '2026-11-23T00:00:00Z'],
    ['2026-11-23 09:30:00', '2026-11-23T09:30:00Z'],
    ['2026-11-23T09:30:00Z', '2026-11-23T09:30:00Z'],
  ])('reads %s in UTC', (text, time) => expect(timeOf(text)).toBe(Date.parse(time)));
  it.each([['travel'], [2026], [null], ['12/11/2026']])('does not read %j as a time', (value) => expect(timeOf(value)).toBeNaN());
});

describe('charts of results', () => {
  const byDay = answer(
    [column('cost', 'DOUBLE'), column('day', 'VARCHAR')],
    [
      [2, '2026/11/02'],
      [1, '2026/11/01'],
      [null, '2026/11/03'],
    ],
  );

  it('draws numbers over times, in their order, without rows that have no number', () => {
    const chart = chartable(byDay)!;
    expect(chart).toMatchObject({ isTime: true, label: { name: 'day' }, values: [{ name: 'cost' }] });
    expect(pointsOf(byDay.rows, chart, chart.values[0]!, 10).map(({ value }) => value)).toEqual([1, 2]);
  });
  it('draws numbers by texts, in the order of the rows, and decimals that are texts', () => {
    const result = answer(
      [column('bot', 'VARCHAR'), column('cost', 'DECIMAL(18,3)')],
      [
        ['b', '2.5'],
        ['a', '1.5'],
      ],
    );
    const chart = chartable(result)!;
    expect(pointsOf(result.rows, chart, chart.values[0]!, 10).map(({ label, value }) => [label, value])).toEqual([
      ['b', 2.5],
      ['a', 1.5],
    ]);
  });
  it('draws no more than the requested number of rows', () => {
    const chart = chartable(byDay)!;
    expect(pointsOf(byDay.rows, chart, chart.values[0]!, 1)).toHaveLength(1);
  });
  it('draws nothing without numbers, without labels, or with one row', () => {
    expect(
      chartable(
        answer(
          [column('a', 'VARCHAR'), column('b', 'VARCHAR')],
          [
            ['x', 'y'],
            ['x', 'y'],
          ],
        ),
      ),
    ).toBeNull();
    expect(chartable(answer([column('a', 'BIGINT')], [[1], [2]]))).toBeNull();
    expect(chartable(answer([column('a', 'VARCHAR'), column('b', 'BIGINT')], [['x', 1]]))).toBeNull();
  });
});
