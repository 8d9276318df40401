import { Instant } from '@parlance/decider';
import { type ReadModels, remove } from '@parlance/read-models';
import { cursorRows, deliveryKey, deliveryRows, type WebhookCursor } from '../../projections/webhooks/webhook-deliveries.ts';
import { type HeldSlot, MOST_CHANGES } from './delivery-slots.ts';

/** The most ended deliveries that are kept for a webhook, newest first. */
export const MOST_ENDED = 10_000;
const DAY_MILLIS = 24 * 60 * 60_000;

/** Removes a batch of deliveries that ended more than `retentionDays` ago or before the newest 10,000. Returns whether there may be more. */
export async function removeOld(
  models: ReadModels,
  slot: HeldSlot,
  { webhook_id, next }: WebhookCursor,
  retentionDays: number,
  now: Instant,
): Promise<boolean> {
  const old = await models.find(deliveryRows, {
    index: 'byEnd',
    where: { webhook_id },
    from: 0,
    to: Instant.plus(now, -retentionDays * DAY_MILLIS),
    limit: MOST_CHANGES,
  });
  // Deliveries are read by status, because waiting deliveries may be older than all ended ones.
  const excess = await Promise.all(
    (['delivered', 'dead'] as const).map((status) =>
      models.find(deliveryRows, { index: 'byStatus', where: { webhook_id, status }, to: next - 1 - MOST_ENDED, limit: MOST_CHANGES }),
    ),
  );
  const ended = [...old.rows, ...excess.flatMap(({ rows }) => rows)].slice(0, MOST_CHANGES);
  if (ended.length === 0) return false;
  await slot.write(ended.map(({ id }) => remove(deliveryRows, deliveryKey(webhook_id, id))));
  return true;
}

/** Removes a batch of a removed webhook's rows. The last batch also removes its cursor. */
export async function removeAllOf(models: ReadModels, slot: HeldSlot, webhookId: string): Promise<void> {
  const { rows } = await models.find(deliveryRows, { index: 'byWebhook', where: { webhook_id: webhookId }, limit: MOST_CHANGES });
  const changes = rows.map(({ id }) => remove(deliveryRows, deliveryKey(webhookId, id)));
  await slot.write(rows.length < MOST_CHANGES ? [...changes, remove(cursorRows, webhookId)] : changes);
}
