import { monthParam } from '../../app/search-params.ts';
import { lastMonths } from '../../calendar/months.ts';

/** The number of months for which the server keeps usage. */
const MONTHS = 13;

/** The months for which the server has usage, the current one first. */
export const recentPeriods = (now: Date): readonly string[] => lastMonths(now, MONTHS);

/** The month of the address, if the server has it. */
export const usageSearch = ({ period }: Record<string, unknown>): { readonly period?: string | undefined } => ({
  period: monthParam(period),
});

/** The parts of a sum, the largest first. */
export const largestFirst = (parts: Readonly<Record<string, number>>): { id: string; cost: number }[] =>
  Object.entries(parts)
    .map(([id, cost]) => ({ id, cost }))
    .sort((a, b) => b.cost - a.cost);
