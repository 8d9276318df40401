import type { BotItem, BotItemPage } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';

/** The most bots that each list of a shelf reads. */
const MOST = 20;
/** Stars and pins rarely change elsewhere. A change in this console reads them again. */
const STALE_MILLIS = 60_000;

export const recentBotsQuery = queryOptions({
  queryKey: ['bots', 'recent', 'shelf'],
  queryFn: (): Promise<BotItemPage> => parlance.api.get('/bot', { query: { kind: 'mixed', limit: MOST } }),
});

export const pinnedBotsQuery = queryOptions({
  queryKey: ['bots', 'pinned', 'shelf'],
  queryFn: (): Promise<BotItemPage> => parlance.api.get('/bot/pinned', { query: { limit: MOST } }),
  staleTime: STALE_MILLIS,
});

/** The server lists starred own bots and starred bots of others separately. */
export const starredBotsQuery = queryOptions({
  queryKey: ['bots', 'starred', 'shelf'],
  queryFn: async (): Promise<BotItemPage> => {
    const list = (kind: 'private' | 'shared') => parlance.api.get('/bot', { query: { kind, starred: true, limit: MOST } });
    const pages = await Promise.all([list('private'), list('shared')]);
    return { bots: pages.flatMap(({ bots }) => bots), next_token: null };
  },
  staleTime: STALE_MILLIS,
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
