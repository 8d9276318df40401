import type { Invitation } from '@parlance/client/types';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { audited } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatList, formatTime } from '../../../../messages/format.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Page } from '../../../../ui/page.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { useNames } from '../../../bots/header/people.ts';
import { PAGE_SIZE } from '../search.ts';
import { nameOf } from '../user-names.ts';
import { InviteDialog } from './invite-dialog.tsx';

const route = getRouteApi('/signed-in/admin/invitations');

export function InvitationsPage() {
  const { admin } = useAdminMessages();
  const texts = admin.people.invitations;
  const { token } = route.useSearch();
  const cache = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'invitations', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/invitations', { query: { limit: PAGE_SIZE, next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(query.data?.invitations ?? [], setRevoked);
  const revoke = async ({ invitation_id: invitationId }: Invitation) => {
    await parlance.api.delete('/admin/invitations/{invitationId}', { path: { invitationId } });
    await cache.invalidateQueries({ queryKey: ['admin', 'invitations'] });
    toast(texts.revoked);
  };
  return (
    <Page
      title={admin.pages.invitations}
      description={texts.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/invitations', {}, 'invitations.csv')} />
          <Button look="primary" onPress={() => setInviting(true)}>
            <MailPlus aria-hidden className="size-4" />
            {texts.create}
          </Button>
        </>
      }
    >
      <Paged query={query} token={token}>
        {({ invitations }) => (
          <Table
            label={admin.pages.invitations}
            columns={columns}
            rows={invitations}
            keyOf={({ invitation_id }) => invitation_id}
            empty={<EmptyState title={texts.emptyTitle} text={texts.emptyText} />}
          />
        )}
      </Paged>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {revoked && (
        <ConfirmDialog
          title={texts.revokeTitle}
          text={texts.revokeText(revoked.email)}
          confirmLabel={texts.revoke}
          isOpen
          onClose={() => setRevoked(null)}
          onConfirm={() => revoke(revoked)}
        />
      )}
    </Page>
  );
}

function useColumns(rows: readonly Invitation[], onRevoke: (invitation: Invitation) => void): readonly Column<Invitation>[] {
  const { invitations: texts } = useAdminMessages().admin.people;
  const names = useNames(rows.flatMap(({ invited_by }) => invited_by ?? []));
  return [
    {
      id: 'email',
      name: texts.email,
      cell: (invitation) => (
        <span className="flex min-w-44 flex-col">
          <span className="font-medium">{invitation.email}</span>
          {nameOf(invitation) !== invitation.email && <span className="text-xs text-muted">{nameOf(invitation)}</span>}
        </span>
      ),
    },
    { id: 'groups', name: texts.groups, cell: ({ groups }) => formatList(groups) || <span className="text-muted">{texts.noGroups}</span> },
    {
      id: 'created',
      name: texts.created,
      cell: ({ create_time, invited_by }) => (
        <span className="flex flex-col whitespace-nowrap">
          {formatTime(create_time)}
          {invited_by !== null && <span className="text-xs text-muted">{texts.by(names.get(invited_by) ?? invited_by)}</span>}
        </span>
      ),
    },
    {
      id: 'expires',
      name: texts.expires,
      cell: ({ expires_at }) => <span className="whitespace-nowrap">{formatTime(expires_at)}</span>,
    },
    {
      id: 'revoke',
      name: texts.revoke,
      isNameHidden: true,
      align: 'end',
      cell: (invitation) => (
        <Button size="small" look="quiet" aria-label={texts.revokeOf(invitation.email)} onPress={() => onRevoke(invitation)}>
          {texts.revoke}
        </Button>
      ),
    },
  ];
}
