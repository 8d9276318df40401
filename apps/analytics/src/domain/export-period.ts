import { Instant } from '@parlance/decider';

/** An hour as YYYYMMDDHH or a day as YYYYMMDD, in UTC. */
export type Period = string;

const HOUR_MILLIS = 3_600_000;
const HOURS_OF_DAY = 24;
const DAY_LENGTH = 8;

const FORM = /^[2-9]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])?$/;

/** Whether a text is an hour or a day of the calendar. */
export function isPeriod(text: string): text is Period {
  if (!FORM.test(text)) return false;
  const first = Instant.ofMillis(spanOf(text).from);
  return text.startsWith(dayOfHour(hourAt(first)));
}

export const isDay = (period: Period): boolean => period.length === DAY_LENGTH;
export const dayOfHour = (hour: Period): Period => hour.slice(0, DAY_LENGTH);
export const firstHourOf = (day: Period): Period => `${day}00`;
export const hoursOf = (day: Period): Period[] =>
  Array.from({ length: HOURS_OF_DAY }, (_, index) => `${day}${String(index).padStart(2, '0')}`);

/** The hour of a moment. */
export const hourAt = (at: Instant): Period => Instant.toString(at).slice(0, 13).replaceAll(/[-T]/g, '');

/** Epoch milliseconds: the first one in the period, and the first one after it. */
export function spanOf(period: Period): { readonly from: number; readonly to: number } {
  const [year, month, day, hour] = [period.slice(0, 4), period.slice(4, 6), period.slice(6, 8), period.slice(8)].map(Number);
  const from = Date.UTC(year!, month! - 1, day, hour);
  return { from, to: from + (isDay(period) ? HOURS_OF_DAY : 1) * HOUR_MILLIS };
}

/** The folders of the period's file: `2026/11/22/10`. */
export const foldersOf = (period: Period): string => [period.slice(0, 4), ...(period.slice(4).match(/../g) ?? [])].join('/');
