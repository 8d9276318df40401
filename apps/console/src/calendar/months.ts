/** Months are YYYY-MM, dates are YYYY-MM-DD, both in UTC as the API counts them. */

export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** The month `count` months later; earlier if negative. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + months, 1)));
}

/** The last months, newest first. */
export const lastMonths = (now: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => monthAfter(monthOf(now), -at));

const DAY_MILLIS = 86_400_000;
const millisOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

export const dateAfter = (date: string, days: number): string => new Date(millisOf(date) + days * DAY_MILLIS).toISOString().slice(0, 10);

/** The number of days, both ends included. */
export const daysIn = (from: string, to: string): number => Math.round((millisOf(to) - millisOf(from)) / DAY_MILLIS) + 1;

export const lastDateOf = (month: string): string => dateAfter(`${monthAfter(month, 1)}-01`, -1);

/** Every date, both ends included. */
export const datesIn = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, daysIn(from, to)) }, (_, at) => dateAfter(from, at));
