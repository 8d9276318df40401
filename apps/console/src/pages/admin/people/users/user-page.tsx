import { ParlanceError } from '@parlance/client';
import type { ErasureReceipt, User } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { LinkButton } from '../../../../ui/button.tsx';
import { Page, Section } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { userQuery } from '../queries.ts';
import { nameOf } from '../user-names.ts';
import { Receipt } from './receipt.tsx';
import { UserActions } from './user-actions.tsx';
import { UserConversations } from './user-conversations.tsx';
import { UserCostSection } from './user-cost-section.tsx';
import { UserFactors } from './user-factors.tsx';
import { UserGroups } from './user-groups.tsx';

const route = getRouteApi('/signed-in/admin/users/$userId');

export function UserPage() {
  const { admin } = useAdminMessages();
  const texts = admin.people.users;
  const { userId } = route.useParams();
  const user = useQuery(userQuery(userId));
  const [receipt, setReceipt] = useState<ErasureReceipt | null>(null);
  const back = <LinkButton href="/admin/users">{texts.toUsers}</LinkButton>;

  if (receipt !== null) {
    return (
      <Page title={texts.receiptTitle} actions={back}>
        <Receipt receipt={receipt} />
      </Page>
    );
  }
  if (user.error instanceof ParlanceError && user.error.status === 404) {
    return (
      <Page title={admin.pages.users}>
        <EmptyState title={texts.gone} text={texts.goneText} action={back} />
      </Page>
    );
  }
  return (
    <Page
      title={user.data === undefined ? admin.pages.users : (nameOf(user.data) ?? userId)}
      description={user.data?.email}
      actions={user.data === undefined ? back : <UserActions user={user.data} onErased={setReceipt} />}
    >
      <Loaded query={user}>
        {(data) => (
          <>
            <AccountFacts user={data} />
            <UserFactors userId={userId} />
            <UserGroups user={data} description={texts.memberOf} />
            <UserCostSection userId={userId} />
            <UserConversations userId={userId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AccountFacts({ user }: { readonly user: User }) {
  const { users: texts } = useAdminMessages().admin.people;
  const { enabled, email_verified, create_time, last_sign_in_time, user_id } = user;
  return (
    <Section
      title={texts.facts}
      actions={
        <div className="flex flex-wrap gap-2">
          <Tag tone={enabled ? 'ok' : 'warn'}>{enabled ? texts.enabled : texts.disabled}</Tag>
          <Tag tone={email_verified ? 'neutral' : 'warn'}>{email_verified ? texts.verified : texts.unverified}</Tag>
        </div>
      }
    >
      <Facts
        facts={[
          [texts.createTime, formatTime(create_time)],
          [texts.lastSignIn, last_sign_in_time === null ? texts.never : formatTime(last_sign_in_time)],
          [texts.userId, <code className="font-mono text-xs">{user_id}</code>],
        ]}
      />
    </Section>
  );
}
