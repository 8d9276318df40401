import type { CostSummary } from '@parlance/client/types';
import { dateAfter, datesIn, daysIn, lastDateOf, lastMonths, monthAfter, monthOf } from '../../../../calendar/months.ts';
import type { CostsSearch } from '../search.ts';

/** Dates are in UTC, and both are included. */
export interface Span {
  readonly from: string;
  readonly to: string;
  /** Present for a whole month, YYYY-MM. */
  readonly month?: string;
}

export const spanOfMonth = (month: string): Span => ({ from: `${month}-01`, to: lastDateOf(month), month });

/** The month or the dates of the address. Without both, the current month. */
export function spanAsked({ month, from, to }: CostsSearch, now: Date): Span {
  return from !== undefined && to !== undefined ? { from, to } : spanOfMonth(month ?? monthOf(now));
}

/** The previous month, or the same number of days directly before. */
export function spanBefore({ from, to, month }: Span): Span {
  if (month !== undefined) return spanOfMonth(monthAfter(month, -1));
  const last = dateAfter(from, -1);
  return { from: dateAfter(last, 1 - daysIn(from, to)), to: last };
}

/** The period as the API's parameters. */
export function queryOf({ from, to, month }: Span): { period: string } | { start_time: number; end_time: number } {
  if (month !== undefined) return { period: month };
  const seconds = (time: string) => Date.parse(time) / 1_000;
  return { start_time: seconds(`${from}T00:00:00Z`), end_time: seconds(`${to}T23:00:00Z`) };
}

/** The current month and the year before it. Daily figures are kept for the same time. */
export const COST_MONTHS = 13;

/** The months for which a user's costs are shown. */
export function costMonths(now: Date): { readonly start_period: string; readonly end_period: string } {
  const months = lastMonths(now, COST_MONTHS);
  return { start_period: months.at(-1)!, end_period: months[0]! };
}

type Days = CostSummary['daily'];
interface Points {
  readonly name: string;
  readonly points: readonly { readonly date: string; readonly value: number }[];
}

/** Each day of the span, with zero where nothing was charged. */
export function pointsOf(name: string, { from, to }: Span, daily: Days, isCorrected = false): Points {
  const costs = new Map(daily.map(({ date, cost, as_corrected }) => [date, isCorrected ? as_corrected : cost]));
  return { name, points: datesIn(from, to).map((date) => ({ date, value: costs.get(date) ?? 0 })) };
}

/** Maps the points of an earlier span to the dates of a later one, first day to first day. Days beyond the later span are left out. */
export function movedTo(span: Span, { name, points }: Points): Points {
  const dates = datesIn(span.from, span.to);
  return { name, points: points.slice(0, dates.length).map(({ value }, at) => ({ date: dates[at]!, value })) };
}

export interface Change {
  readonly kind: 'more' | 'less' | 'same' | 'new';
  /** The change as a share of the earlier amount. */
  readonly share: number;
}

/** Differences below half a percent are shown as none. */
const SAME = 0.005;

export function changeOf(now: number, before: number): Change {
  if (before === 0) return { kind: now === 0 ? 'same' : 'new', share: 0 };
  const share = (now - before) / before;
  if (Math.abs(share) < SAME) return { kind: 'same', share: 0 };
  return { kind: share > 0 ? 'more' : 'less', share: Math.abs(share) };
}
