import { Instant } from '@parlance/decider';
import { dayAfter, type Window, requestedWindow, windowOfMonth, wrongWindow } from '../domain/window.ts';
import { firstMonthKept } from '@parlance/contracts';

/** An hour as YYYYMMDDHH. */
export const COMPACT_HOUR = /^[2-9]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])$/;
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
export const DATE = /^[2-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
/** The last second of the year 9999. */
export const LATEST = 253_402_300_799;

const kept = (now: Instant) => firstMonthKept(Instant.toString(now));

/** The window between two hours as YYYYMMDDHH, or the current month if neither is given. Refuses with `invalid_window`. */
export function windowOfCompactHours(start: string | undefined, end: string | undefined, now: Instant): Window {
  return requestedWindow({ from: hourOf('start', start), to: hourOf('end', end), names: ['start', 'end'] }, now, kept(now));
}

/** The window of a month, between two times in epoch seconds, or of the current month if nothing is given. Refuses with `invalid_window`. */
export function windowOfPeriod(
  { period, start_time, end_time }: { readonly period?: string; readonly start_time?: number; readonly end_time?: number },
  now: Instant,
): Window {
  if (period !== undefined && (start_time !== undefined || end_time !== undefined))
    throw wrongWindow('period', 'must be absent if start_time and end_time are given');
  if (period !== undefined) return windowOfMonth(period);
  if (start_time !== undefined && end_time !== undefined && end_time < start_time) throw wrongWindow('end_time', 'is before start_time');
  const asked = { from: hourAt(start_time), to: hourAt(end_time), names: ['start_time', 'end_time'] as const };
  return requestedWindow(asked, now, kept(now));
}

const MOST_DAYS = 366;
const DEFAULT_DAYS = 30;

export interface RequestedDays {
  readonly days?: number;
  readonly start_date?: string;
  readonly end_date?: string;
}

/** A window of complete days: a number of days until today, or from one date to another. Refuses with `invalid_window`. */
export function windowOfDays({ days, start_date, end_date }: RequestedDays, now: Instant): Window {
  const hasDates = start_date !== undefined || end_date !== undefined;
  if (days !== undefined && hasDates) throw wrongWindow('days', 'must be absent if start_date and end_date are given');
  const today = Instant.toString(now).slice(0, 10);
  const first = hasDates ? start_date : dayAfter(today, 1 - (days ?? DEFAULT_DAYS));
  const last = hasDates ? end_date : today;
  const from = first && `${realDate('start_date', first)}T00`;
  const to = last && `${realDate('end_date', last)}T23`;
  if (hasDates && first && last && first <= last && dayAfter(first, MOST_DAYS) <= last)
    throw wrongWindow('end_date', `must be less than ${MOST_DAYS} days after start_date`);
  const { month: _, ...window } = requestedWindow({ from, to, names: ['start_date', 'end_date'] }, now, '');
  if (window.from.slice(0, 7) < kept(now)) throw wrongWindow('start_date', `must not be before ${kept(now)}: earlier days are not kept`);
  return window;
}

const hourAt = (seconds: number | undefined) =>
  seconds === undefined ? undefined : Instant.toString(Instant.ofSeconds(seconds)).slice(0, 13);

function hourOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [year, month, day, hour] = [text.slice(0, 4), text.slice(4, 6), text.slice(6, 8), text.slice(8)];
  return `${realDate(name, `${year}-${month}-${day}`)}T${hour}`;
}

/** Refuses dates that do not exist, such as 2026-02-30. */
export function realDate(name: string, date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) throw wrongWindow(name, 'is not a calendar date');
  return date;
}
