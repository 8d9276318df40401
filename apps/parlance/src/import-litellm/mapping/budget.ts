/** A budget as the API takes it, without what it limits. */
export interface MappedBudget {
  readonly period: 'DAY' | 'WEEK' | 'MONTH';
  readonly limit: number;
  readonly mode: 'hard' | 'soft';
  /** What is different from LiteLLM; null if nothing is. */
  readonly note: string | null;
}

export interface SourceBudget {
  readonly maxBudget: number | null;
  readonly softBudget: number | null;
  readonly duration: string | null;
  readonly spend: number;
}

const HIGHEST_LIMIT = 9_000_000;
const DECIMALS = 9;
const DAYS_OF_MONTH = 30;
const DAYS: Readonly<Record<string, number>> = { s: 1 / 86_400, m: 1 / 1_440, h: 1 / 24, d: 1, w: 7, mo: DAYS_OF_MONTH };

/**
 * A budget of LiteLLM in a period of Parlance. Where there is no such period, the budget is stricter. A budget that is never reset becomes what is
 * left of it, because Parlance has no such budgets. Null if LiteLLM has no budget.
 */
export function mappedBudget({ maxBudget, softBudget, duration, spend }: SourceBudget): MappedBudget | null {
  const amount = maxBudget ?? softBudget;
  if (amount === null) return null;
  const mode = maxBudget === null ? 'soft' : 'hard';
  const days = daysOf(duration);
  const isWarned = maxBudget !== null && softBudget !== null;
  const budget = (period: MappedBudget['period'], limit: number, changed = ''): MappedBudget => ({
    period,
    limit: Number(Math.min(HIGHEST_LIMIT, Math.max(0, limit)).toFixed(DECIMALS)),
    mode,
    note: `${changed}${isWarned ? ' Parlance warns at 80 %, not at soft_budget.' : ''}`.trim() || null,
  });
  if (days === null) {
    const reason = duration === null ? 'LiteLLM never resets this budget' : `The duration ${duration} is unknown`;
    return budget('MONTH', amount - spend, `${reason}. Parlance starts it again each month, so only what is left is taken over.`);
  }
  if (days === 1) return budget('DAY', amount);
  if (days === 7) return budget('WEEK', amount);
  if (days >= 28 && days <= 31) return budget('MONTH', amount);
  const stricter = `Parlance has no period of ${duration}: the amount is for a longer one.`;
  if (days < 1) return budget('DAY', amount, stricter);
  if (days < 7) return budget('WEEK', amount, stricter);
  if (days < 28) return budget('MONTH', amount, stricter);
  return budget('MONTH', (amount * DAYS_OF_MONTH) / days, `Parlance has no period of ${duration}: each month has its share.`);
}

function daysOf(duration: string | null): number | null {
  const [, count, unit] = /^(\d+)(mo|[smhdw])$/.exec(duration?.trim() ?? '') ?? [];
  if (count === undefined || unit === undefined || Number(count) === 0) return null;
  const days = Number(count) * DAYS[unit]!;
  // 24h is a day in spite of rounding.
  return Math.abs(days - Math.round(days)) < 1e-9 ? Math.round(days) : days;
}
