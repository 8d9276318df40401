import { type Instant, refuse } from '@parlance/decider';

/** Hours (UTC) as 2026-11-21T09, both included. */
export interface Window {
  readonly from: string;
  readonly to: string;
  /** Set if the window is a whole month, YYYY-MM. */
  readonly month?: string;
}

/** A part of a window whose sums are in rows of one kind. Both ends are included. */
export type Stretch =
  | { readonly rows: 'days'; readonly from: string; readonly to: string }
  | { readonly rows: 'hours'; readonly from: string; readonly to: string };

export function windowOfMonth(month: string): Window {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { from: `${month}-01T00`, to: `${month}-${String(lastDay).padStart(2, '0')}T23`, month };
}

/** A window from one hour to another. It is a whole month if its hours span one. */
export function windowOfHours(from: string, to: string): Window {
  const month = windowOfMonth(from.slice(0, 7));
  return month.from === from && month.to === to ? month : { from, to };
}

/** The previous month for a whole month, otherwise the same number of hours directly before the window. */
export function windowBefore({ from, to, month }: Window): Window {
  if (month !== undefined) return windowOfMonth(monthAfter(`${month}-01`, -1));
  const hoursIn = (hourNumber(to) - hourNumber(from)) / HOUR_MILLIS + 1;
  return windowOfHours(hourAfter(from, -hoursIn), hourAfter(from, -1));
}

const HOUR_MILLIS = 3_600_000;
const hourNumber = (hour: string): number => Date.parse(`${hour}:00Z`);
const hourAfter = (hour: string, count: number): string => new Date(hourNumber(hour) + count * HOUR_MILLIS).toISOString().slice(0, 13);

/** Whole days, and the hours before and after them. */
export function stretchesOf({ from, to }: Window): readonly Stretch[] {
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  const [isWholeFirst, isWholeLast] = [from.endsWith('T00'), to.endsWith('T23')];
  if (first === last) return isWholeFirst && isWholeLast ? [days(first, last)] : [{ rows: 'hours', from, to }];
  const [begin, end] = [isWholeFirst ? first : dayAfter(first, 1), isWholeLast ? last : dayAfter(last, -1)];
  return [
    ...(isWholeFirst ? [] : [{ rows: 'hours', from, to: `${first}T23` } as const]),
    ...(begin <= end ? [days(begin, end)] : []),
    ...(isWholeLast ? [] : [{ rows: 'hours', from: `${last}T00`, to } as const]),
  ];
}

/** A stretch, or months as 2026-11. */
export type LongStretch = Stretch | { readonly rows: 'months'; readonly from: string; readonly to: string };

/** Like `stretchesOf`, with whole months in place of their days: fewer rows, if the sums of each day are not needed. */
export function longStretchesOf(window: Window): readonly LongStretch[] {
  return stretchesOf(window).flatMap((stretch) => (stretch.rows === 'days' ? monthsIn(stretch.from, stretch.to) : [stretch]));
}

function monthsIn(begin: string, end: string): readonly LongStretch[] {
  const first = begin.endsWith('-01') ? begin.slice(0, 7) : monthAfter(begin, 1);
  const last = dayAfter(end, 1).endsWith('-01') ? end.slice(0, 7) : monthAfter(end, -1);
  if (first > last) return [days(begin, end)];
  const [before, after] = [dayAfter(`${first}-01`, -1), `${monthAfter(last, 1)}-01`];
  return [
    ...(begin <= before ? [days(begin, before)] : []),
    { rows: 'months', from: first, to: last },
    ...(after <= end ? [days(after, end)] : []),
  ];
}

/** The month that is this many months after the month of the argument, a day or a month. */
export function monthAfter(day: string, count: number): string {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + count)).toISOString().slice(0, 7);
}

const days = (from: string, to: string): Stretch => ({ rows: 'days', from, to });

/** The day that is this many days after another one; before it for a negative count. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Request parameters in the form that a window needs: hours as 2026-11-21T09. */
export interface RequestedHours {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The names of the parameters. */
  readonly names: readonly [string, string];
}

export const LONGEST_WINDOW_DAYS = 366;

/** The window between both hours, or the current month if neither is given. Refuses with `invalid_window`. */
export function requestedWindow({ from, to, names }: RequestedHours, now: Instant, firstMonthKept: string): Window {
  const [start, end] = names;
  if (from === undefined && to === undefined) return windowOfMonth(new Date(now).toISOString().slice(0, 7));
  if (from === undefined) throw wrongWindow(start, `is missing; give both ${start} and ${end}, or neither`);
  if (to === undefined) throw wrongWindow(end, `is missing; give both ${start} and ${end}, or neither`);
  if (to < from) throw wrongWindow(end, `is before ${start}`);
  if (to.slice(0, 10) > dayAfter(from.slice(0, 10), LONGEST_WINDOW_DAYS))
    throw wrongWindow(end, `must be at most ${LONGEST_WINDOW_DAYS} days after ${start}`);
  const window = windowOfHours(from, to);
  if (window.month === undefined && from.slice(0, 7) < firstMonthKept)
    throw wrongWindow(start, `must not be before ${firstMonthKept}: only whole months are kept before that`);
  return window;
}

export const wrongWindow = (path: string, message: string) =>
  refuse('invalid', 'invalid_window', `The parameter ${path} ${message}.`, { errors: [{ path, message }] });
