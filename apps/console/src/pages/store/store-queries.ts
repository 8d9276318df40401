import { keepPreviousData } from '@tanstack/react-query';
import { whileIndexing } from '../bots/shelf/shelf-queries.ts';
import { parlance } from '../../session/parlance.ts';
import type { List } from './store-search.ts';

/** The number of bots of each list on the first page of the store. */
export const PREVIEWED = 6;
const PAGE = 24;

const PATHS = { pinned: '/bot/pinned', popular: '/store/popular', pickup: '/store/pickup' } as const;

export const listQuery = (list: List, token?: string, limit = PAGE) => ({
  ...whileIndexing,
  queryKey: ['store', list, limit, token],
  queryFn: () => parlance.api.get(PATHS[list], { query: { limit, ...(token && { next_token: token }) } }),
  placeholderData: keepPreviousData,
});

export const searchQuery = (query: string, token?: string) => ({
  ...whileIndexing,
  queryKey: ['store', 'search', query, token],
  queryFn: async () => {
    const params = { query, limit: PAGE, ...(token && { next_token: token }) };
    const { results: bots, next_token } = await parlance.api.get('/store/search', { query: params });
    return { bots, next_token };
  },
  placeholderData: keepPreviousData,
});

export const summaryQuery = (botId: string) => ({
  queryKey: ['bot-summary', botId],
  queryFn: () => parlance.api.get('/bot/summary/{botId}', { path: { botId } }),
});

/** A user's name, readable by every signed-in user. */
export const personQuery = (userId: string) => ({
  queryKey: ['user', userId],
  queryFn: () => parlance.api.get('/user/{userId}', { path: { userId } }),
  staleTime: 300_000,
});
