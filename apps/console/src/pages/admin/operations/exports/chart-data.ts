import type { SqlAnswer } from '@parlance/client/types';

export interface Column {
  readonly index: number;
  readonly name: string;
}

export interface Chartable {
  readonly label: Column;
  readonly isTime: boolean;
  readonly values: readonly Column[];
}

export interface Point {
  readonly label: string;
  /** The label in epoch milliseconds, if it is a time. */
  readonly time: number;
  readonly value: number;
}

const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL)/;
/** Whether a DuckDB type is numeric. Values of decimals arrive as strings. */
export const isNumeric = (type: string): boolean => NUMBER.test(type);
const TIME = /^(DATE|TIMESTAMP)/;

/** Parses times in the form of exports (`2026/11/23`, `2026/11/23/09`) and of SQL. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string' || !/^\d{4}[-/]\d\d[-/]\d\d/.test(value)) return Number.NaN;
  const [, date = '', hour = ''] = /^(\d{4}\/\d\d\/\d\d)(?:\/(\d\d))?$/.exec(value) ?? [];
  if (date !== '') return Date.parse(`${date.replaceAll('/', '-')}T${hour || '00'}:00:00Z`);
  return Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? value : `${value.replace(' ', 'T').replace(/(Z|[+-]\d\d(:?\d\d)?)?$/, '')}Z`);
}

/** A result can be drawn if it has a column of texts or times and one of numbers. */
export function chartable({ columns, rows }: SqlAnswer): Chartable | null {
  const all = columns.map(({ name, type }, index) => ({ index, name, type }));
  const values = all.filter(({ type }) => isNumeric(type));
  const isTimes = ({ index, type }: (typeof all)[number]) =>
    TIME.test(type) || (type === 'VARCHAR' && rows.every((row) => !Number.isNaN(timeOf(row[index]))));
  const time = all.find(isTimes);
  const label = time ?? all.find(({ type }) => type === 'VARCHAR');
  return rows.length < 2 || values.length === 0 || !label ? null : { label, isTime: time !== undefined, values };
}

/** The points of a chart, sorted if they are times. Rows without a number are left out. */
export function pointsOf(rows: SqlAnswer['rows'], { label, isTime }: Chartable, value: Column, most: number): readonly Point[] {
  const points = rows
    .slice(0, most)
    .map((row) => ({
      label: String(row[label.index] ?? ''),
      time: isTime ? timeOf(row[label.index]) : Number.NaN,
      value: row[value.index] === null ? Number.NaN : Number(row[value.index]),
    }))
    .filter((point) => Number.isFinite(point.value) && (!isTime || Number.isFinite(point.time)));
  return isTime ? points.toSorted((one, other) => one.time - other.time) : points;
}
