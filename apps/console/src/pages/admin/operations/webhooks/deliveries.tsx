import type { WebhookDelivery } from '@parlance/client/types';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Select } from '../../../../ui/fields/index.ts';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { DELIVERY_TONES } from './delivery-tones.ts';
import type { DeliveryStatus } from './webhook-search.ts';

const route = getRouteApi('/signed-in/admin/webhooks/$webhookId');
const POLL_MILLIS = 5_000;

/** The deliveries of a webhook. The list is polled while any of them are pending. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { webhooks } = useAdminMessages().admin.operations;
  const { status, token } = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [shown, setShown] = useState<WebhookDelivery | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'webhooks', webhookId, 'deliveries', status, token],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/webhooks/{webhookId}/deliveries', {
        path: { webhookId },
        query: { status, next_token: token, limit: 50 },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deliveries.some((each) => each.status === 'pending') ? POLL_MILLIS : false),
  });
  const retry = useMutation({
    mutationFn: (deliveryId: string) =>
      parlance.api.post('/admin/webhooks/{webhookId}/deliveries/{deliveryId}/retry', { path: { webhookId, deliveryId } }),
    onSuccess: async () => {
      toast(webhooks.retried);
      await client.invalidateQueries({ queryKey: ['admin', 'webhooks', webhookId, 'deliveries'] });
    },
    onError: toastError,
  });
  const columns = useColumns({ onShow: setShown, onRetry: retry.mutate, retried: retry.isPending ? retry.variables : null });
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-md font-semibold">{webhooks.deliveries}</h2>
        <div className="flex flex-wrap items-end gap-2">
          <Select<DeliveryStatus | 'all'>
            label={webhooks.status}
            value={status ?? 'all'}
            onChange={(next) =>
              void navigate({
                to: '/admin/webhooks/$webhookId',
                params: { webhookId },
                search: next === 'all' ? {} : { status: next },
              })
            }
            options={[
              { id: 'all', name: webhooks.anyStatus },
              { id: 'pending', name: webhooks.statuses.pending },
              { id: 'delivered', name: webhooks.statuses.delivered },
              { id: 'dead', name: webhooks.statuses.dead },
            ]}
            className="w-40"
          />
          <CsvButton onDownload={() => downloadCsv(`/admin/webhooks/${webhookId}/deliveries`, { status }, 'deliveries.csv')} />
        </div>
      </div>
      <Paged query={query} token={token}>
        {({ deliveries }) => (
          <Table
            label={webhooks.deliveries}
            columns={columns}
            rows={deliveries}
            keyOf={({ delivery_id }) => delivery_id}
            empty={<EmptyState title={webhooks.emptyDeliveries} text={webhooks.emptyDeliveriesText} />}
          />
        )}
      </Paged>
      {shown && (
        <DeliveryPanel
          webhookId={webhookId}
          delivery={shown}
          onRetry={() => retry.mutate(shown.delivery_id)}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}

interface Columns {
  readonly onShow: (delivery: WebhookDelivery) => void;
  readonly onRetry: (deliveryId: string) => void;
  /** The delivery that is being sent again. */
  readonly retried: string | null;
}

function useColumns({ onShow, onRetry, retried }: Columns): readonly Column<WebhookDelivery>[] {
  const { webhooks } = useAdminMessages().admin.operations;
  return [
    {
      id: 'event',
      name: webhooks.event,
      cell: (delivery) => (
        <button
          type="button"
          onClick={() => onShow(delivery)}
          aria-label={webhooks.show(delivery.event_type)}
          className="min-h-8 cursor-pointer text-start font-mono text-xs whitespace-nowrap text-accent hover:underline max-sm:min-h-11"
        >
          {delivery.event_type}
        </button>
      ),
    },
    { id: 'status', name: webhooks.status, cell: ({ status }) => <Tag tone={DELIVERY_TONES[status]}>{webhooks.statuses[status]}</Tag> },
    {
      id: 'answer',
      name: webhooks.answer,
      cell: ({ last_status, last_error }) => (
        <span className="line-clamp-2 min-w-48 text-xs">{last_status ?? last_error ?? webhooks.noAnswer}</span>
      ),
    },
    { id: 'tries', name: webhooks.tries, align: 'end', cell: ({ tries }) => formatNumber(tries) },
    { id: 'time', name: webhooks.time, cell: ({ event_time }) => <span className="whitespace-nowrap">{formatTime(event_time)}</span> },
    {
      id: 'retry',
      name: webhooks.retry,
      isNameHidden: true,
      align: 'end',
      cell: ({ delivery_id, event_type }) => (
        <Button
          size="small"
          look="quiet"
          isPending={retried === delivery_id}
          aria-label={webhooks.retryOf(event_type)}
          onPress={() => onRetry(delivery_id)}
        >
          {webhooks.retry}
        </Button>
      ),
    },
  ];
}
