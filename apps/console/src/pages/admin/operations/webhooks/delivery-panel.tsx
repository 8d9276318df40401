import type { WebhookDelivery } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { SidePanel } from '../../../../ui/dialogs/side-panel.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { DELIVERY_TONES } from './delivery-tones.ts';
import { eventTypesQuery } from './event-types-query.ts';

interface DeliveryPanelProps {
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

const timeOf = (time: number | null) => (time === null ? null : formatTime(time));

/**
 * A delivery with its last answer and its event. Reading the event is recorded in the audit log, so it is read once for each delivery
 * shown.
 */
export function DeliveryPanel({ webhookId, delivery, onRetry, onClose }: DeliveryPanelProps) {
  const { webhooks } = useAdminMessages().admin.operations;
  const type = useQuery(eventTypesQuery).data?.find(({ name }) => name === delivery.event_type);
  const fields = Object.entries(type?.fields ?? {});
  return (
    <SidePanel title={webhooks.delivery} isOpen onClose={onClose}>
      <Facts
        facts={[
          [webhooks.event, <code key="event">{delivery.event_type}</code>],
          [
            webhooks.status,
            <Tag key="status" tone={DELIVERY_TONES[delivery.status]}>
              {webhooks.statuses[delivery.status]}
            </Tag>,
          ],
          [webhooks.answer, delivery.last_status],
          [webhooks.lastError, delivery.last_error],
          [webhooks.duration, delivery.last_milliseconds === null ? null : webhooks.milliseconds(formatNumber(delivery.last_milliseconds))],
          [webhooks.tries, formatNumber(delivery.tries)],
          [webhooks.lastTry, timeOf(delivery.last_try_time)],
          [webhooks.nextTry, timeOf(delivery.next_try_time)],
          [webhooks.time, formatTime(delivery.event_time)],
          [webhooks.subject, delivery.subject],
          [webhooks.deliveryId, delivery.delivery_id],
        ]}
      />
      <Button className="self-start" onPress={onRetry}>
        {webhooks.retry}
      </Button>
      <DeliveredEvent webhookId={webhookId} deliveryId={delivery.delivery_id} />
      {type && (
        <section className="flex flex-col gap-2 border-t border-line pt-4">
          <h3 className="text-sm font-semibold">{webhooks.fields}</h3>
          <p className="text-sm text-muted">{type.summary}</p>
          <Facts
            facts={fields.map(([name, field]) => [name, field.description ?? ([field.type ?? ''].flat() as readonly string[]).join(', ')])}
          />
        </section>
      )}
    </SidePanel>
  );
}

function DeliveredEvent({ webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string }) {
  const { webhooks } = useAdminMessages().admin.operations;
  const query = useQuery({
    queryKey: ['admin', 'webhooks', webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/webhooks/{webhookId}/deliveries/{deliveryId}', { path: { webhookId, deliveryId }, signal }),
    // An event never changes.
    staleTime: Infinity,
  });
  return (
    <Loaded query={query}>
      {({ event, event_missing }) =>
        event === null ? (
          <p className="text-sm text-muted">{webhooks.missing[event_missing ?? 'not_in_log']}</p>
        ) : (
          <>
            <CodeBlock code={JSON.stringify(event, null, 2)} label={webhooks.content} />
            <p className="text-xs text-muted">{webhooks.contentText}</p>
          </>
        )
      }
    </Loaded>
  );
}
