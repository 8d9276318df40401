import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';

const PAGE = 50;

/** The user's chats, newest first, page by page. */
export const chatsQuery = infiniteQueryOptions({
  queryKey: ['chats', 'all'],
  queryFn: ({ pageParam }) =>
    parlance.api.get('/conversations', { query: { limit: PAGE, ...(pageParam !== null && { next_token: pageParam }) } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_token }) => next_token,
});

export const chatSearchQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['chats', 'search', query],
    queryFn: ({ pageParam, signal }) =>
      parlance.api.get('/conversations/search', {
        query: { query, limit: PAGE, ...(pageParam !== null && { next_token: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_token }) => next_token,
    placeholderData: keepPreviousData,
  });
