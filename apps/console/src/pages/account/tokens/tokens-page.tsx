import type { PersonalToken } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { focusAfterDialog } from '../../../ui/dialogs/after-dialog.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Paged } from '../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountFrame } from '../account-frame.tsx';
import { TermsDialog } from './terms-dialog.tsx';
import { columnsOf } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';

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
  const [isCreating, setCreating] = useState(false);
  const [leaving, setLeaving] = useState<PersonalToken | null>(null);
  const [changing, setChanging] = useState<PersonalToken | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const read = () => queryClient.invalidateQueries({ queryKey: KEY });
  const revoke = async () => {
    if (leaving === null) return;
    await parlance.api.delete('/user/me/tokens/{tokenId}', { path: { tokenId: leaving.token_id } });
    toast(texts.revoked);
    await read();
    focusAfterDialog(list.current);
  };
  return (
    <AccountFrame>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl text-sm text-muted">{texts.text}</p>
        <Button look="primary" onPress={() => setCreating(true)}>
          <Plus aria-hidden className="size-4" />
          {texts.create}
        </Button>
      </div>
      <div ref={list} tabIndex={-1} className="outline-none">
        <Paged query={query} token={token}>
          {({ tokens }) => (
            <Table
              label={texts.table}
              rows={tokens}
              keyOf={({ token_id }) => token_id}
              columns={columnsOf(texts, setLeaving, setChanging)}
              empty={<EmptyState title={texts.none} text={texts.noneText} />}
            />
          )}
        </Paged>
      </div>
      {isCreating && (
        <TokenDialog
          make={(body) => parlance.api.post('/user/me/tokens', { body })}
          onClose={() => setCreating(false)}
          onCreated={() => void read()}
        />
      )}
      {changing && (
        <TermsDialog
          token={changing}
          change={(body) => parlance.api.patch('/user/me/tokens/{tokenId}', { path: { tokenId: changing.token_id }, body }).then(read)}
          onClose={() => setChanging(null)}
        />
      )}
      <ConfirmDialog
        title={texts.revokeTitle}
        text={leaving && texts.revokeText(leaving.description)}
        confirmLabel={texts.revoke}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={revoke}
      />
    </AccountFrame>
  );
}
