import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { type Chats, withNewest, without, withTitle } from './newest-chats.ts';

const PAGE = 50;
const FRESH_MILLIS = 10_000;

const pageFrom = (token: string | null) =>
  parlance.api.get('/conversations', { query: { limit: PAGE, ...(token !== null && { next_token: token }) } });

/** Own chats, the newest first, page after page. A query would read all its pages again; `readNewestChats` reads one. */
export const chatsQuery = infiniteQueryOptions({
  queryKey: ['chats', 'all'],
  queryFn: ({ pageParam }) => pageFrom(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_token }) => next_token,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
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

let reading: Promise<unknown> = Promise.resolve();

/** Called when there is a new chat, or a message in one. */
export async function chatsChanged(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['chats', 'search'] });
  // One after another, so that an older answer does not replace a newer one.
  reading = reading.then(readNewestChats, readNewestChats);
  await reading;
}

/** Called when the list comes into view. */
export function lookForNewChats(): void {
  const { data, dataUpdatedAt = 0 } = queryClient.getQueryState(chatsQuery.queryKey) ?? {};
  if (data !== undefined && document.visibilityState === 'visible' && Date.now() - dataUpdatedAt > FRESH_MILLIS) void chatsChanged();
}

export function chatRenamed(id: string, title: string): void {
  change((chats) => withTitle(chats, id, title));
  void chatsChanged();
}

export function chatDeleted(id: string): void {
  change((chats) => without(chats, id));
  void chatsChanged();
}

async function readNewestChats(): Promise<void> {
  // The list may have failed before.
  if (queryClient.getQueryData(chatsQuery.queryKey) === undefined) return queryClient.invalidateQueries({ queryKey: chatsQuery.queryKey });
  const newest = await pageFrom(null).catch(() => null);
  // The page that is being read is added to those that were there before.
  await queryClient
    .getQueryCache()
    .find({ queryKey: chatsQuery.queryKey })
    ?.promise?.catch(() => undefined);
  if (newest !== null) change((chats) => withNewest(chats, newest));
}

const change = (how: (chats: Chats) => Chats) =>
  void queryClient.setQueryData(chatsQuery.queryKey, (chats) => (chats === undefined ? undefined : how(chats)));
