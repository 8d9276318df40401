import type { Webhook } from '@parlance/client/types';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Tag } from '../../../../ui/tag.tsx';

export function WebhookState({ webhook: { enabled, disabled_because } }: { readonly webhook: Webhook }) {
  const { webhooks } = useAdminMessages().admin.operations;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Tag tone={enabled ? 'ok' : disabled_because === 'gone' ? 'bad' : 'neutral'}>{enabled ? webhooks.enabled : webhooks.disabled}</Tag>
      {disabled_because === 'gone' && <span className="text-xs text-bad">{webhooks.gone}</span>}
    </span>
  );
}
