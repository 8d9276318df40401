import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSharingMessages } from '../../messages/sharing-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Paged } from '../../ui/paging/paged.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AccountFrame } from '../account/account-frame.tsx';
import { ShareTable } from './share-table.tsx';

const route = getRouteApi('/signed-in/account/shares');
const PAGE = 50;

const sharesQuery = (token?: string) => ({
  queryKey: ['shares', 'own', token],
  queryFn: () => parlance.api.get('/user/me/shares', { query: { limit: PAGE, ...(token && { next_token: token }) } }),
  placeholderData: keepPreviousData,
});

/** The links to all chats of the user. */
export function OwnSharesPage() {
  const texts = useSharingMessages();
  const { token } = route.useSearch();
  const query = useQuery(sharesQuery(token));
  return (
    <AccountFrame>
      <p className="text-sm text-muted">{texts.pageText}</p>
      <Paged query={query} token={token}>
        {({ shares }) => (
          <ShareTable label={texts.table} shares={shares} hasChats empty={<EmptyState title={texts.none} text={texts.noneText} />} />
        )}
      </Paged>
    </AccountFrame>
  );
}
