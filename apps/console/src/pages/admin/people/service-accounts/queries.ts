import type { ServiceAccount } from '@parlance/client/types';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { audited } from '../../../../api/query-client.ts';
import { parlance } from '../../../../session/parlance.ts';
import { MOST_GROUPS } from '../queries.ts';
import { PAGE_SIZE } from '../search.ts';

/** The largest page, so that an account is found in the list with few requests. */
const SEARCHED = 1_000;

export const accountsQuery = (token: string | undefined) =>
  queryOptions({
    queryKey: ['admin', 'service-accounts', 'list', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/service-accounts', { query: { limit: PAGE_SIZE, next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });

/** Null if there is no such account. */
export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['admin', 'service-accounts', 'one', accountId],
    queryFn: async ({ signal }): Promise<ServiceAccount | null> => {
      let next_token: string | undefined;
      do {
        const page = await parlance.api.get('/admin/service-accounts', { query: { limit: SEARCHED, next_token }, signal });
        const found = page.service_accounts.find(({ id }) => id === accountId);
        if (found) return found;
        next_token = page.next_token ?? undefined;
      } while (next_token !== undefined);
      return null;
    },
  });

export const accountTokensQuery = (accountId: string, token: string | undefined) =>
  queryOptions({
    ...audited,
    queryKey: ['admin', 'tokens', accountId, token],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/service-accounts/{id}/tokens', {
        path: { id: accountId },
        query: { limit: PAGE_SIZE, next_token: token },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Whether the list of groups is complete and the group is not in it. */
export const isGone = (group: string, known: readonly { readonly name: string }[] | undefined): boolean =>
  known !== undefined && known.length < MOST_GROUPS && !known.some(({ name }) => name === group);
