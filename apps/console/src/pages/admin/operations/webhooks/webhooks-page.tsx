import type { CreatedWebhook, Webhook } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { SecretDialog } from '../../../../ui/dialogs/secret-dialog.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

const route = getRouteApi('/signed-in/admin/webhooks');

export function WebhooksPage() {
  const { webhooks } = useAdminMessages().admin.operations;
  const { token } = route.useSearch();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'webhooks', 'list', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/webhooks', { query: { next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'url',
      name: webhooks.url,
      cell: ({ id, url, description }) => (
        <span className="flex min-w-56 flex-col">
          <Link
            to="/admin/webhooks/$webhookId"
            params={{ webhookId: id }}
            className="inline-flex items-center font-medium text-accent hover:underline max-sm:min-h-11"
          >
            {url}
          </Link>
          {description !== '' && <span className="text-xs text-muted">{description}</span>}
        </span>
      ),
    },
    { id: 'events', name: webhooks.events, cell: ({ event_types }) => webhooks.eventCount(event_types.length) },
    { id: 'state', name: webhooks.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      id: 'created',
      name: webhooks.created,
      cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span>,
    },
  ];
  return (
    <Page
      title={webhooks.title}
      description={webhooks.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/webhooks', {}, 'webhooks.csv')} />
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            {webhooks.create}
          </Button>
        </>
      }
    >
      <Paged query={query} token={token}>
        {(data) => (
          <Table
            label={webhooks.title}
            columns={columns}
            rows={data.webhooks}
            keyOf={({ id }) => id}
            empty={<EmptyState title={webhooks.emptyTitle} text={webhooks.emptyText} />}
          />
        )}
      </Paged>
      {isCreating && <WebhookDialog webhook={null} onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={webhooks.secretTitle}
          text={webhooks.secretText}
          label={webhooks.secretLabel}
          secret={created.secret}
          doneLabel={webhooks.done}
          onClose={() => void navigate({ to: '/admin/webhooks/$webhookId', params: { webhookId: created.id } })}
        />
      )}
    </Page>
  );
}
