import { type Cursor, type ReadModels, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { LogPositions } from '../../domain/log-positions.ts';

/** The positions up to which events were read for a webhook. */
export interface WebhookCursor {
  readonly webhook_id: string;
  readonly places: LogPositions;
  /** The newest order that was carried out. */
  readonly seen: number;
  /** The `n` of the next delivery. */
  readonly next: number;
}

export const deliveryRows = table<Delivery>('webhook_deliveries', {
  byWebhook: ['webhook_id', 'n'],
  byStatus: ['webhook_id', 'status', 'n'],
  byEnd: ['webhook_id', 'ended_at'],
});

export const cursorRows = table<WebhookCursor>('webhook_cursors');

/** Rows that the delivery writes, instead of a projection of events. If they are lost, deliveries repeat from the creation of each webhook. */
export const webhookDeliveries = { name: 'webhook-deliveries', version: 1, tables: [deliveryRows, cursorRows] };

export const deliveryKey = (webhookId: string, id: string) => `${webhookId}/${id}`;

/** Cursors of removed webhooks are removed within seconds, so there are hardly more cursors than webhooks. */
const MOST_CURSORS = 1_000;

export async function allCursors(models: ReadModels): Promise<readonly WebhookCursor[]> {
  return (await models.find(cursorRows, { index: 'key', limit: MOST_CURSORS })).rows;
}

/** Deliveries that have not ended, in the order of `n`, from the first one after `n` on. */
export async function pendingAfter(models: ReadModels, webhook_id: string, n: number, limit: number) {
  const { rows, next } = await models.find(deliveryRows, {
    index: 'byStatus',
    where: { webhook_id, status: 'pending' },
    from: n + 1,
    limit,
  });
  return { rows, isLast: next === null };
}

/** Newest first. */
export const DeliveriesOf = query(
  'DeliveriesOf',
  async (models, webhookId: string, status: Delivery['status'] | undefined, limit: number, after: Cursor | null) => {
    const { rows, next } = await models.find(deliveryRows, {
      index: status === undefined ? 'byWebhook' : 'byStatus',
      where: { webhook_id: webhookId, ...(status !== undefined && { status }) },
      order: 'desc',
      limit,
      ...(after && { after }),
    });
    return { deliveries: rows, next };
  },
);

export const DeliveryById = query('DeliveryById', (models, webhookId: string, id: string) =>
  models.get(deliveryRows, deliveryKey(webhookId, id)),
);

export const CursorOf = query('CursorOf', (models, webhookId: string) => models.get(cursorRows, webhookId));
