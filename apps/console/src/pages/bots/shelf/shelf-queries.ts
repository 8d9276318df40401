import type { BotItem, BotShelf } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';

/** The most bots of the shelf, and of a search. */
const MOST = 20;

/** The user's starred bots, then recently used ones, then pinned ones. */
export const shelfQuery = queryOptions({
  queryKey: ['bots', 'shelf'],
  queryFn: (): Promise<BotShelf> => parlance.api.get('/bot/shelf', { query: { limit: MOST } }),
});

export const botSearchQuery = (query: string) =>
  queryOptions({
    queryKey: ['bots', 'search', query],
    queryFn: async ({ signal }): Promise<readonly BotItem[]> => {
      const { results } = await parlance.api.get('/store/search', { query: { query, limit: MOST }, signal });
      return results;
    },
    enabled: query !== '',
  });
