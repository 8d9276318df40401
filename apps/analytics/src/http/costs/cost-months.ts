import { Instant } from '@parlance/decider';
import { IsOptional, Matches } from 'class-validator';
import { wrongWindow } from '../../domain/window.ts';
import type { Spender } from '../../projections/spend.ts';
import type { SpendRow } from '../../projections/spend/spend-rows.ts';
import { MONTH } from '../windows.ts';

export class PeriodsQuery {
  /** First month. */
  @IsOptional() @Matches(MONTH, { message: 'must be a month, YYYY-MM' }) start_period?: string;
  /** Last month. */
  @IsOptional() @Matches(MONTH, { message: 'must be a month, YYYY-MM' }) end_period?: string;
}

/** The most months in one answer. */
const MOST_MONTHS = 120;

export function sumOf(scope: SpendRow['scope'], id: string, months: readonly Spender[]): Spender {
  const sum = { month: '', scope, id, model: '', nano_dollars: 0, corrections: 0, input_tokens: 0, output_tokens: 0, parts: 0 };
  for (const row of months) {
    for (const field of ['nano_dollars', 'input_tokens', 'output_tokens', 'parts'] as const) sum[field] += row[field];
    sum.corrections += row.corrections ?? 0;
  }
  const user_id = months.at(-1)?.user_id;
  return {
    ...sum,
    ...(user_id !== undefined && { user_id }),
    by_model: summed(months, 'by_model'),
    corrected_by_model: summed(months, 'corrected_by_model'),
  };
}

function summed(months: readonly Spender[], field: 'by_model' | 'corrected_by_model'): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const row of months) for (const [model, nano] of Object.entries(row[field])) sums[model] = (sums[model] ?? 0) + nano;
  return sums;
}

/** The months from one to another, or the current month if neither is given. Refuses with `invalid_window`. */
export function monthsOf({ start_period: start, end_period: end }: PeriodsQuery, now: Instant): readonly string[] {
  if (start === undefined && end === undefined) return [Instant.toString(now).slice(0, 7)];
  if (start === undefined) throw wrongWindow('start_period', 'is missing; give both start_period and end_period, or neither');
  if (end === undefined) throw wrongWindow('end_period', 'is missing; give both start_period and end_period, or neither');
  if (end < start) throw wrongWindow('end_period', 'is before start_period');
  const [first, last] = [numberOf(start), numberOf(end)];
  if (last - first >= MOST_MONTHS) throw wrongWindow('end_period', `must be less than ${MOST_MONTHS} months after start_period`);
  return Array.from({ length: last - first + 1 }, (_, index) => monthAt(first + index));
}

/** Months since the year 0. */
const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
const monthAt = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
