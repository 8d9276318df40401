import { idInStream } from '@parlance/event-store';
import { type At, type Change, type Cursor, projection, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { type LivingWebhook, type Webhook, webhook as rules, type WebhookEvent } from '../../domain/webhook.ts';

/** The current state of a webhook. A removed webhook has no row. */
export interface WebhookRow extends LivingWebhook {
  readonly id: string;
  readonly version: number;
}

const webhookRows = table<WebhookRow>('webhooks');

/** The most webhooks. They are limited because each reads all events. */
export const MOST_WEBHOOKS = 100;

export const webhooks = projection<WebhookEvent>({
  name: 'webhooks',
  version: 1,
  tables: [webhookRows],
  on: {
    WebhookCreated: folded,
    WebhookChanged: folded,
    WebhookSecretRotated: folded,
    WebhookDisabledAsGone: folded,
    WebhookReplayRequested: folded,
    WebhookDeliveryRetryRequested: folded,
    WebhookRemoved: folded,
  },
});

function folded(event: WebhookEvent, { stream, version }: At): readonly Change[] {
  const id = idInStream(stream);
  return [
    update(webhookRows, id, (row) => {
      const { living } = rules.evolve(row ? stateOf(row) : rules.initialState, event);
      return living && { ...living, id, version };
    }),
  ];
}

function stateOf({ id: _, version: __, ...living }: WebhookRow): Webhook {
  return { status: 'living', living };
}

export const WebhookById = query('WebhookById', (models, id: string): Promise<WebhookRow | null> => models.get(webhookRows, id));

export const WebhookPage = query('WebhookPage', async (models, limit: number, after: Cursor | null) => {
  const { rows, next } = await models.find(webhookRows, { index: 'key', limit, ...(after && { after }) });
  return { webhooks: rows, next };
});

export const AllWebhooks = query('AllWebhooks', async (models): Promise<readonly WebhookRow[]> => {
  return (await models.find(webhookRows, { index: 'key', limit: MOST_WEBHOOKS })).rows;
});
