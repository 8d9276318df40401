import type { ReactNode } from 'react';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tabs.tsx';

/** The title and the tabs of all pages of the account. */
export function AccountFrame({ children }: { readonly children: ReactNode }) {
  const account = useAccountMessages();
  const tabs = [
    { name: account.tabs.profile, to: '/account' },
    { name: account.tabs.sessions, to: '/account/sessions' },
    { name: account.tabs.usage, to: '/account/usage' },
    { name: account.tabs.shares, to: '/account/shares' },
    { name: account.tabs.tokens, to: '/account/tokens' },
    { name: account.tabs.api, to: '/account/api' },
    { name: account.tabs.tools, to: '/account/tools' },
    { name: account.tabs.memory, to: '/account/memory' },
    { name: account.tabs.data, to: '/account/data' },
  ];
  return (
    <Page title={account.title}>
      <TabLinks label={account.title} tabs={tabs} />
      {children}
    </Page>
  );
}
