import type { PersonalToken } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { useAccountMessages } from '../../../../messages/account-messages.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Section } from '../../../../ui/page.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { Table } from '../../../../ui/table.tsx';
import { TermsDialog } from '../../../account/tokens/terms-dialog.tsx';
import { columnsOf } from '../../../account/tokens/token-columns.tsx';
import { TokenDialog } from '../../../account/tokens/token-dialog.tsx';
import { RevokeDialog } from '../tokens/revoke-dialog.tsx';
import { accountTokensQuery } from './queries.ts';

const route = getRouteApi('/signed-in/admin/service-accounts/$accountId');

/** The access tokens of a service account. */
export function AccountTokens({ accountId }: { readonly accountId: string }) {
  const { accounts: texts } = useAdminMessages().admin.people.tokens;
  const { tokens: tokenTexts } = useAccountMessages();
  const { token } = route.useSearch();
  const cache = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [changing, setChanging] = useState<PersonalToken | null>(null);
  const [revoked, setRevoked] = useState<PersonalToken | null>(null);
  const tokens = useQuery(accountTokensQuery(accountId, token));
  const read = () => cache.invalidateQueries({ queryKey: ['admin', 'tokens'] });
  return (
    <Section
      title={texts.tokens}
      description={texts.tokensText}
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv(`/admin/service-accounts/${accountId}/tokens`, {}, 'access-tokens.csv')} />
          <Button onPress={() => setCreating(true)}>{tokenTexts.create}</Button>
        </>
      }
    >
      <Paged query={tokens} token={token} resetScroll={false}>
        {({ tokens: rows }) => (
          <Table
            label={texts.tokens}
            columns={columnsOf(tokenTexts, setRevoked, setChanging)}
            rows={rows}
            keyOf={({ token_id }) => token_id}
            empty={<EmptyState title={texts.noTokens} text={tokenTexts.noneText} />}
          />
        )}
      </Paged>
      {isCreating && (
        <TokenDialog
          make={(body) => parlance.api.post('/admin/service-accounts/{id}/tokens', { path: { id: accountId }, body })}
          onClose={() => setCreating(false)}
          onCreated={() => void read()}
        />
      )}
      {changing && (
        <TermsDialog
          token={changing}
          change={(body) => {
            const path = { id: accountId, tokenId: changing.token_id };
            return parlance.api.patch('/admin/service-accounts/{id}/tokens/{tokenId}', { path, body }).then(read);
          }}
          onClose={() => setChanging(null)}
        />
      )}
      <RevokeDialog
        token={revoked}
        revoke={({ token_id: tokenId }) =>
          parlance.api.delete('/admin/service-accounts/{id}/tokens/{tokenId}', { path: { id: accountId, tokenId } })
        }
        onClose={() => setRevoked(null)}
      />
    </Section>
  );
}
