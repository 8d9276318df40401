import type { ServiceAccount } from '@parlance/client/types';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Tag } from '../../../../ui/tag.tsx';

export function AccountState({ account }: { readonly account: ServiceAccount }) {
  const { accounts: texts } = useAdminMessages().admin.people.tokens;
  return <Tag tone={account.enabled ? 'ok' : 'warn'}>{account.enabled ? texts.enabled : texts.disabled}</Tag>;
}
