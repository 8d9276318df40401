import type { PersonalToken } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { audited } from '../../../../api/query-client.ts';
import { useAccountMessages } from '../../../../messages/account-messages.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page } from '../../../../ui/page.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { columnsOf } from '../../../account/tokens/token-columns.tsx';
import { useNames } from '../../../bots/header/people.ts';
import { ShortId } from '../../operations/short-id.tsx';
import { PAGE_SIZE } from '../search.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

const route = getRouteApi('/signed-in/admin/tokens');

/** The access tokens of all users and service accounts. */
export function AllTokensPage() {
  const { all: texts } = useAdminMessages().admin.people.tokens;
  const { tokens: tokenTexts } = useAccountMessages();
  const { token } = route.useSearch();
  const [revoked, setRevoked] = useState<PersonalToken | null>(null);
  const tokens = useQuery({
    ...audited,
    queryKey: ['admin', 'tokens', 'all', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/tokens', { query: { limit: PAGE_SIZE, next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const names = useNames((tokens.data?.tokens ?? []).flatMap(({ user_id, created_by }) => [user_id, ...(created_by ? [created_by] : [])]));
  const owner: Column<PersonalToken> = {
    id: 'owner',
    name: texts.owner,
    cell: ({ user_id, created_by }) => (
      <span className="flex min-w-40 flex-col">
        <Link to="/admin/users/$userId" params={{ userId: user_id }} className={linkLook}>
          {names.get(user_id) ?? <ShortId id={user_id} />}
        </Link>
        {created_by !== null && created_by !== user_id && (
          <span className="text-xs text-muted">{texts.by(names.get(created_by) ?? created_by)}</span>
        )}
      </span>
    ),
  };
  const [description, ...others] = columnsOf(tokenTexts, setRevoked);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      isWide
      actions={<CsvButton onDownload={() => downloadCsv('/admin/tokens', {}, 'access-tokens.csv')} />}
    >
      <Paged query={tokens} token={token}>
        {({ tokens: rows }) => (
          <Table
            label={texts.title}
            columns={[description!, owner, ...others]}
            rows={rows}
            keyOf={({ token_id }) => token_id}
            empty={<EmptyState title={texts.none} text={texts.noneText} />}
          />
        )}
      </Paged>
      <RevokeDialog
        token={revoked}
        revoke={({ token_id: tokenId }) => parlance.api.delete('/admin/tokens/{tokenId}', { path: { tokenId } })}
        onClose={() => setRevoked(null)}
      />
    </Page>
  );
}
