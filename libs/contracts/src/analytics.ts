import { z } from 'zod';
import { type DataOf, id, nanoDollars, publicEvent } from './public-event.ts';

const budget = { budget_id: id.describe('ID of the budget.') };
const terms = {
  ...budget,
  scope: z.enum(['all', 'user', 'group', 'bot', 'key']).describe('What the budget limits.'),
  scope_id: id.nullable().describe('ID of the user, bot or API key, or name of the group; null for `all`.'),
  period: z.enum(['DAY', 'WEEK', 'MONTH']).describe('Period of the budget, in UTC. A week starts on Monday.'),
  mode: z.enum(['soft', 'hard']).describe('`soft` warns when the budget is reached, `hard` refuses messages.'),
  limit_nano_dollars: nanoDollars('Most that may be spent in a period.'),
};

export const BudgetSet = publicEvent(
  'parlance.analytics.budget-set.v1',
  'Published when an administrator makes or replaces a budget.',
  z.strictObject(terms),
);
export type BudgetSet = DataOf<typeof BudgetSet>;

export const BudgetRemoved = publicEvent(
  'parlance.analytics.budget-removed.v1',
  'Published when an administrator removes a budget.',
  z.strictObject(budget),
);
export type BudgetRemoved = DataOf<typeof BudgetRemoved>;

export const BudgetReached = publicEvent(
  'parlance.analytics.budget-reached.v1',
  'Published when the rest of a budget is not enough for the next message. Once in a period, and again after the budget is replaced.',
  z.strictObject({
    ...terms,
    period_start: z.string().describe('First day of the period, YYYY-MM-DD.'),
    spent_nano_dollars: nanoDollars('Spent in the period until then.'),
  }),
);
export type BudgetReached = DataOf<typeof BudgetReached>;

export const ExportWritten = publicEvent(
  'parlance.analytics.export-written.v1',
  'Published when the conversations of an hour or a day are exported. Again when the file was written again, because of late events or an erasure.',
  z.strictObject({
    period: z.string().describe('The hour as YYYYMMDDHH or the day as YYYYMMDD, in UTC.'),
    key: z.string().describe('Key of the Parquet file in the object store. A file that is written again keeps its key.'),
    rows: z.int().nonnegative().describe('Rows of the file.'),
    bytes: z.int().nonnegative().describe('Size of the file.'),
  }),
);
export type ExportWritten = DataOf<typeof ExportWritten>;
