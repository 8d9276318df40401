export interface DaySeries {
  readonly name: string;
  readonly points: readonly DayPoint[];
}

interface DayPoint {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Null if nothing was measured on the day. */
  readonly value: number | null;
}

/** A response with more days than this is an error, and would block the page. */
const MOST_DAYS = 1_000;
const DAY_MILLIS = 86_400_000;

/** All days from the first to the last, also those without points. */
export function daysOf(series: readonly DaySeries[]): string[] {
  const dates = series.flatMap(({ points }) => points.map(({ date }) => date)).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last) && days.length < MOST_DAYS; at += DAY_MILLIS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** The values of a series for each of the days. */
export function valuesOf({ points }: DaySeries, days: readonly string[], missing: number | null): (number | null)[] {
  const byDate = new Map(points.map(({ date, value }) => [date, value]));
  return days.map((day) => (byDate.has(day) ? byDate.get(day)! : missing));
}

/** Indexes of the days that get a label: the first, and as many others as fit. */
export function labelledDays(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % step === 0);
}
