import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../../session/parlance.ts';

/** More budgets than any installation has. */
const MOST = 1_000;

export const allBudgetsQuery = queryOptions({
  queryKey: ['admin', 'budgets', 'all'],
  queryFn: async ({ signal }) => (await parlance.api.get('/admin/budgets', { query: { limit: MOST }, signal })).budgets,
});
