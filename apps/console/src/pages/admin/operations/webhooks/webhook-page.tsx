import type { RotatedWebhookSecret, Webhook } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { Page } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { SecretDialog } from '../../../../ui/dialogs/secret-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhook-state.tsx';

const route = getRouteApi('/signed-in/admin/webhooks/$webhookId');

/** Up to this number, event types are listed by name. */
const NAMED = 12;

export function WebhookPage() {
  const { webhooks } = useAdminMessages().admin.operations;
  const { webhookId } = route.useParams();
  const query = useQuery({
    queryKey: ['admin', 'webhooks', webhookId],
    queryFn: ({ signal }) => parlance.api.get('/admin/webhooks/{webhookId}', { path: { webhookId }, signal }),
  });
  if (query.data) return <Detail webhook={query.data} />;
  return (
    <Page title={webhooks.title} description={<BackLink />} isWide>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
}

function BackLink() {
  const { webhooks } = useAdminMessages().admin.operations;
  return (
    <Link to="/admin/webhooks" className="inline-flex items-center gap-1 hover:text-accent max-sm:min-h-11">
      <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" />
      {webhooks.back}
    </Link>
  );
}

function Detail({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks } = useAdminMessages().admin.operations;
  const [rotated, setRotated] = useState<RotatedWebhookSecret | null>(null);
  const { event_types, previous_secret_valid_until: oldUntil } = webhook;
  const isOldValid = oldUntil !== null && oldUntil * 1_000 > Date.now();
  return (
    <Page
      title={webhook.description === '' ? new URL(webhook.url).host : webhook.description}
      isWide
      description={<BackLink />}
      actions={<WebhookActions webhook={webhook} onRotated={setRotated} />}
    >
      <Facts
        facts={[
          [webhooks.url, webhook.url],
          [webhooks.state, <WebhookState key="state" webhook={webhook} />],
          [
            webhooks.events,
            event_types.length === 0 || event_types.length > NAMED ? (
              webhooks.eventCount(event_types.length)
            ) : (
              <span key="events" className="flex flex-wrap gap-x-3 gap-y-1">
                {event_types.map((type) => (
                  <code key={type} className="text-xs">
                    {type}
                  </code>
                ))}
              </span>
            ),
          ],
          [webhooks.created, formatTime(webhook.create_time)],
          [webhooks.secretLabel, isOldValid ? webhooks.oldSecret(formatTime(oldUntil)) : null],
        ]}
      />
      <Deliveries webhookId={webhook.id} />
      {rotated && (
        <SecretDialog
          title={webhooks.secretTitle}
          text={
            <>
              <p>{webhooks.secretText}</p>
              <p>{webhooks.oldSecret(formatTime(rotated.previous_secret_valid_until))}</p>
            </>
          }
          label={webhooks.secretLabel}
          secret={rotated.secret}
          doneLabel={webhooks.done}
          onClose={() => setRotated(null)}
        />
      )}
    </Page>
  );
}
