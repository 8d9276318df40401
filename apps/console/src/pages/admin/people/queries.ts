import type { Group, PublicBotUsage } from '@parlance/client/types';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type PagedSearch } from '../../../app/search-params.ts';
import { audited } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { costMonths, queryOf, type Span } from './costs/cost-period.ts';
import { type BotsSearch, PAGE_SIZE, type QualitySearch, type UsersSearch, usersFilter } from './search.ts';

/** Groups that a filter or a choice offers. */
export const MOST_GROUPS = 1_000;
const MOST_RANKED = 100;
const FRESH_MILLIS = 10_000;

export const usersQuery = (search: UsersSearch) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'users', 'list', search],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/users', { query: { ...usersFilter(search), next_token: search.token, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const userQuery = (userId: string) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'users', 'one', userId],
    queryFn: ({ signal }) => parlance.api.get('/admin/users/{userId}', { path: { userId }, signal }),
  });

export const userFactorsQuery = (userId: string) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'users', 'factors', userId],
    queryFn: ({ signal }) => parlance.api.get('/admin/users/{userId}/factors', { path: { userId }, signal }),
  });

export const userCostsQuery = (userId: string, now: Date) => {
  const query = costMonths(now);
  return queryOptions({
    ...audited,
    queryKey: ['admin', 'costs', 'user', userId, query],
    queryFn: ({ signal }) => parlance.api.get('/admin/costs/users/{userId}', { path: { userId }, query, signal }),
  });
};

export const groupsQuery = queryOptions({
  queryKey: ['admin', 'groups'],
  queryFn: async ({ signal }): Promise<readonly Group[]> =>
    (await parlance.api.get('/admin/groups', { query: { limit: MOST_GROUPS }, signal })).groups,
  staleTime: FRESH_MILLIS,
});

export const publicBotsQuery = ({ used, token }: BotsSearch) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'bots', 'list', { used, token }],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/public-bots', { query: { include_all: used !== true, next_token: token, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const qualityQuery = (days: number, order: NonNullable<QualitySearch['order']>) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'bots', 'quality', days, order],
    queryFn: ({ signal }) => parlance.api.get('/admin/bots/quality', { query: { days, order, limit: MOST_RANKED }, signal }),
    placeholderData: keepPreviousData,
  });

/** With `isCompared`, its rows have their amounts of the period before. */
export const costsQuery = (span: Span, top: number, isCompared = false) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'costs', span, top, isCompared],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/costs/summary', { query: { ...queryOf(span), top_n: top, compare: isCompared }, signal }),
  });

/** All pinned bots are shown on one page. */
const MOST_PINNED = 200;

/** The fields of a bot that the list of pinned bots shows. */
export type PinnedItem = Pick<PublicBotUsage, 'id' | 'title' | 'icon' | 'colour' | 'picture' | 'status'>;

export const pinnedBotsQuery = queryOptions({
  queryKey: ['admin', 'bots', 'pinned'],
  queryFn: async ({ signal }): Promise<{ readonly bots: readonly PinnedItem[]; readonly hasMore: boolean }> => {
    const { bots, next_token } = await parlance.api.get('/bot/pinned', { query: { limit: MOST_PINNED }, signal });
    const shown = bots.map(({ id, title, icon, colour, picture, status }) => ({ id, title, icon, colour, picture, status }));
    return { bots: shown, hasMore: next_token !== null };
  },
});

export const publishedBotsQuery = ({ token }: PagedSearch) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'apis', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/published-bots', { query: { next_token: token, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const publicBotQuery = (botId: string) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'bots', 'one', botId],
    queryFn: ({ signal }) => parlance.api.get('/admin/bot/public/{botId}', { path: { botId }, signal }),
  });

export const badRatingsQuery = (botId: string, days: number, token: string | undefined) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'bots', 'ratings', botId, days, token],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/bots/{botId}/bad-ratings', {
        path: { botId },
        query: { days, next_token: token, limit: PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const questionsQuery = (days: number, isWithoutBot: boolean) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'questions', days, isWithoutBot],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/popular-queries', { query: { days, limit: MOST_RANKED, without_bot: isWithoutBot }, signal }),
    placeholderData: keepPreviousData,
  });
