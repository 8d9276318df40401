import { expect, it } from '@jest/globals';
import type { Query, ReadModels } from '@parlance/read-models';
import { UsageOfApi } from './api-usage.ts';

it('reads at most a day of usage at once, because an hour may contain the counts of more than a hundred keys', async () => {
  const queries: Query[] = [];
  const models = {
    find: async (_: unknown, query: Query) => {
      queries.push(query);
      return { keys: [], rows: [], next: null };
    },
  } as unknown as ReadModels;
  await UsageOfApi.find(models, 'bot', 'api', 0, 3_600, null);
  expect(queries).toEqual([expect.objectContaining({ limit: 24, bytes: 256 * 1024 })]);
});
