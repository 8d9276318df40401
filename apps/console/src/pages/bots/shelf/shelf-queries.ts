import { ParlanceError } from '@parlance/client';
import type { BotItem, BotShelf } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';

/** Whether the index of the store is still being built, as after a start of the server. */
export const isIndexing = (error: unknown): boolean => error instanceof ParlanceError && error.code === 'store_index_building';

/** Options for queries that read the index of the store: they are repeated until it is built. `failureReason` is the error meanwhile. */
export const whileIndexing = { retry: (_: number, error: Error): boolean => isIndexing(error), retryDelay: 5_000 };

/** The most bots of the shelf, and of a search. */
const MOST = 20;

/** The user's starred bots, then recently used ones, then pinned ones. */
export const shelfQuery = queryOptions({
  ...whileIndexing,
  queryKey: ['bots', 'shelf'],
  queryFn: (): Promise<BotShelf> => parlance.api.get('/bot/shelf', { query: { limit: MOST } }),
});

export const botSearchQuery = (query: string) =>
  queryOptions({
    ...whileIndexing,
    queryKey: ['bots', 'search', query],
    queryFn: async ({ signal }): Promise<readonly BotItem[]> => {
      const { results } = await parlance.api.get('/store/search', { query: { query, limit: MOST }, signal });
      return results;
    },
    enabled: query !== '',
  });
