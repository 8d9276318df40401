import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { queryClient } from '../../../api/query-client.ts';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Paged } from '../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { AccountFrame } from '../account-frame.tsx';
import { useTokenActions } from './token-actions.tsx';

const route = getRouteApi('/signed-in/account/tokens');
const PAGE = 50;
const KEY = ['personal-tokens'];

const tokensQuery = (token?: string) => ({
  queryKey: [...KEY, token],
  queryFn: () => parlance.api.get('/user/me/tokens', { query: { limit: PAGE, ...(token && { next_token: token }) } }),
  placeholderData: keepPreviousData,
});

/** The personal access tokens of the user. */
export function TokensPage() {
  const { tokens: texts } = useAccountMessages();
  const { token } = route.useSearch();
  const query = useQuery(tokensQuery(token));
  const read = () => queryClient.invalidateQueries({ queryKey: KEY });
  const { createButton, list, columns, dialogs } = useTokenActions(read);
  return (
    <AccountFrame>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl text-sm text-muted">{texts.text}</p>
        {createButton}
      </div>
      <div ref={list} tabIndex={-1} className="outline-none">
        <Paged query={query} token={token}>
          {({ tokens }) => (
            <Table
              label={texts.table}
              rows={tokens}
              keyOf={({ token_id }) => token_id}
              columns={columns}
              empty={<EmptyState title={texts.none} text={texts.noneText} />}
            />
          )}
        </Paged>
      </div>
      {dialogs}
    </AccountFrame>
  );
}
