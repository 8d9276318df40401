import type { ServiceAccount } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatList, formatTime } from '../../../../messages/format.ts';
import { Button } from '../../../../ui/button.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page } from '../../../../ui/page.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { groupsQuery } from '../queries.ts';
import { AccountState } from './account-state.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { OwnerGroup } from './owner-group.tsx';
import { accountsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/admin/service-accounts');

export function ServiceAccountsPage() {
  const { admin } = useAdminMessages();
  const { accounts: texts } = admin.people.tokens;
  const { token } = route.useSearch();
  const [isCreating, setCreating] = useState(false);
  const accounts = useQuery(accountsQuery(token));
  const { data: groups } = useQuery(groupsQuery);
  const columns: readonly Column<ServiceAccount>[] = [
    {
      id: 'name',
      name: texts.name,
      cell: ({ id, name }) => (
        <Link to="/admin/service-accounts/$accountId" params={{ accountId: id }} className={`font-medium ${linkLook}`}>
          {name}
        </Link>
      ),
    },
    { id: 'owner', name: texts.owner, cell: ({ group }) => <OwnerGroup group={group} known={groups} /> },
    { id: 'groups', name: texts.groups, cell: ({ groups: its }) => formatList(its) },
    { id: 'state', name: texts.state, cell: (account) => <AccountState account={account} /> },
    {
      id: 'created',
      name: texts.created,
      cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span>,
    },
  ];
  return (
    <Page
      title={admin.pages.serviceAccounts}
      description={texts.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/service-accounts', {}, 'service-accounts.csv')} />
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            {texts.create}
          </Button>
        </>
      }
    >
      <Paged query={accounts} token={token}>
        {({ service_accounts }) => (
          <Table
            label={admin.pages.serviceAccounts}
            columns={columns}
            rows={service_accounts}
            keyOf={({ id }) => id}
            empty={<EmptyState title={texts.emptyTitle} text={texts.emptyText} />}
          />
        )}
      </Paged>
      {isCreating && <CreateAccountDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
