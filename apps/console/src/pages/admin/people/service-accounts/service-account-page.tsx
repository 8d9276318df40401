import type { ErasureReceipt, ServiceAccount } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatTime } from '../../../../messages/format.ts';
import { LinkButton } from '../../../../ui/button.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { Page, Section } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { groupsQuery } from '../queries.ts';
import { Receipt } from '../users/receipt.tsx';
import { UserGroups } from '../users/user-groups.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountState } from './account-state.tsx';
import { AccountTokens } from './account-tokens.tsx';
import { OwnerGroup } from './owner-group.tsx';
import { accountQuery } from './queries.ts';

const route = getRouteApi('/signed-in/admin/service-accounts/$accountId');

export function ServiceAccountPage() {
  const { admin } = useAdminMessages();
  const { accounts: texts } = admin.people.tokens;
  const { accountId } = route.useParams();
  const account = useQuery(accountQuery(accountId));
  const [receipt, setReceipt] = useState<ErasureReceipt | null>(null);
  const back = <LinkButton href="/admin/service-accounts">{texts.all}</LinkButton>;

  if (receipt !== null) {
    return (
      <Page title={texts.deletedTitle} actions={back}>
        <Receipt receipt={receipt} />
      </Page>
    );
  }
  if (account.data === null) {
    return (
      <Page title={admin.pages.serviceAccounts}>
        <EmptyState title={texts.gone} text={texts.goneText} action={back} />
      </Page>
    );
  }
  return (
    <Page
      title={account.data?.name ?? admin.pages.serviceAccounts}
      actions={account.data === undefined ? back : <AccountActions account={account.data} onDeleted={setReceipt} />}
    >
      <Loaded query={{ ...account, data: account.data }}>
        {(data) => (
          <>
            <AccountFacts account={data} />
            <AccountTokens accountId={accountId} />
            <UserGroups user={{ user_id: accountId, groups: data.groups }} description={texts.groupsText} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AccountFacts({ account }: { readonly account: ServiceAccount }) {
  const { accounts: texts } = useAdminMessages().admin.people.tokens;
  const { data: groups } = useQuery(groupsQuery);
  return (
    <Section title={texts.facts} actions={<AccountState account={account} />}>
      <Facts
        facts={[
          [texts.owner, <OwnerGroup group={account.group} known={groups} />],
          [texts.created, formatTime(account.create_time)],
          [texts.id, <code className="font-mono text-xs">{account.id}</code>],
        ]}
      />
    </Section>
  );
}
