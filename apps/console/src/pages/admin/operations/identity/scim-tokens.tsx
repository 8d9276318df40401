import type { CreatedScimToken, ScimToken } from '@parlance/client/types';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { SecretDialog } from '../../../../ui/dialogs/secret-dialog.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { TokenDialog } from './token-dialog.tsx';

const route = getRouteApi('/signed-in/admin/identity');

export function ScimTokens() {
  const { identity } = useAdminMessages().admin.operations;
  const { token } = route.useSearch();
  const client = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedScimToken | null>(null);
  const [revoked, setRevoked] = useState<ScimToken | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'scim-tokens', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/scim-tokens', { query: { next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const revoke = async ({ token_id }: ScimToken) => {
    await parlance.api.delete('/admin/scim-tokens/{tokenId}', { path: { tokenId: token_id } });
    toast(identity.revoked);
    await client.invalidateQueries({ queryKey: ['admin', 'scim-tokens'] });
  };
  const columns: readonly Column<ScimToken>[] = [
    { id: 'description', name: identity.descriptionField, cell: ({ description }) => <span className="font-medium">{description}</span> },
    {
      id: 'created',
      name: identity.created,
      cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span>,
    },
    { id: 'expires', name: identity.expires, cell: ({ expires_at }) => <Expiry time={expires_at} /> },
    {
      id: 'revoke',
      name: identity.revoke,
      isNameHidden: true,
      align: 'end',
      cell: (each) => (
        <Button size="small" look="quiet" aria-label={identity.revokeOf(each.description)} onPress={() => setRevoked(each)}>
          {identity.revoke}
        </Button>
      ),
    },
  ];
  return (
    <Section
      title={identity.scim}
      description={identity.scimText}
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/scim-tokens', {}, 'scim-tokens.csv')} />
          <Button onPress={() => setCreating(true)}>{identity.create}</Button>
        </>
      }
    >
      <CodeBlock label={identity.scimUrl} code={`${globalThis.location.origin}/scim/v2`} />
      <Paged query={query} token={token}>
        {({ scim_tokens }) => (
          <Table
            label={identity.scim}
            columns={columns}
            rows={scim_tokens}
            keyOf={({ token_id }) => token_id}
            empty={<EmptyState title={identity.noTokens} text={identity.noTokensText} />}
          />
        )}
      </Paged>
      {isCreating && <TokenDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={identity.secretTitle}
          text={identity.secretText}
          label={identity.secretLabel}
          secret={created.token}
          doneLabel={identity.done}
          onClose={() => setCreated(null)}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={identity.revokeTitle}
          text={identity.revokeText(revoked.description)}
          confirmLabel={identity.revoke}
          isOpen
          onClose={() => setRevoked(null)}
          onConfirm={() => revoke(revoked)}
        />
      )}
    </Section>
  );
}

function Expiry({ time }: { readonly time: number | null }) {
  const { identity } = useAdminMessages().admin.operations;
  if (time === null) return <span className="text-muted">{identity.never}</span>;
  if (time * 1_000 < Date.now()) return <Tag tone="bad">{identity.expired}</Tag>;
  return <span className="whitespace-nowrap">{formatTime(time)}</span>;
}
