import { Instant } from '@parlance/decider';

export const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const;
export type Period = (typeof PERIODS)[number];

const DAY = 86_400_000;

/** The first day of the period that contains a moment, as YYYY-MM-DD in UTC. A week starts on Monday. */
export function firstDayOf(period: Period, at: Instant): string {
  const day = dayOf(at);
  if (period === 'DAY') return day;
  if (period === 'MONTH') return `${day.slice(0, 7)}-01`;
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return dayOf(Instant.plus(at, -sinceMonday * DAY));
}

/** The beginning of the next period. */
export function endOf(period: Period, at: Instant): Instant {
  const first = new Date(`${firstDayOf(period, at)}T00:00:00Z`);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  if (period === 'MONTH') return Instant.ofMillis(Date.UTC(year, month + 1));
  return Instant.ofMillis(first.getTime() + (period === 'DAY' ? DAY : 7 * DAY));
}

/** The day of a moment in UTC, as YYYY-MM-DD. */
export const dayOf = (at: Instant): string => Instant.toString(at).slice(0, 10);
