import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { put, type ReadModels } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import type { Delivery } from '../../domain/delivery.ts';
import { allCursors, cursorRows, deliveryKey, deliveryRows } from '../../projections/webhooks/webhook-deliveries.ts';
import { DeliverySlots, type HeldSlot, MOST_CHANGES, slotOf } from './delivery-slots.ts';
import { MOST_ENDED, removeAllOf, removeOld } from './old-deliveries.ts';

const DAY = 24 * 60 * 60_000;
const now = Instant.ofMillis(100 * DAY);

describe('the deliveries of a webhook', () => {
  let models: ReadModels;
  let slot: HeldSlot;
  let end: () => Promise<void>;

  const cursor = (next: number) => ({ webhook_id: 'w', places: {}, seen: 0, next });
  const keep = (webhookId: string, n: number, ended_at: number | null) => {
    const delivery = { webhook_id: webhookId, id: `e${n}`, n, status: ended_at === null ? 'pending' : 'delivered', ended_at };
    return put(deliveryRows, deliveryKey(webhookId, `e${n}`), delivery as Delivery);
  };
  const kept = async (webhookId = 'w') => {
    const { rows } = await models.find(deliveryRows, { index: 'byWebhook', where: { webhook_id: webhookId }, limit: 1_000 });
    return rows.map(({ n }) => n);
  };
  const removeAllOld = async (next: number) => {
    while (await removeOld(models, slot, cursor(next), 14, now));
  };

  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'old-deliveries-'));
    const file = await openSqliteFile(join(directory, 'deliveries.db'));
    models = await openSqliteReadModels(file);
    const slots = new DeliverySlots(models, 'one', 0);
    await slots.open();
    slot = (await slots.claim(slotOf('w')))!;
    end = async () => {
      await file.close();
      await rm(directory, { recursive: true });
    };
  });
  afterEach(() => end());

  it('are removed some days after they have ended, but not while they wait', async () => {
    await slot.write([keep('w', 1, null), keep('w', 2, now - 15 * DAY), keep('w', 3, now - 13 * DAY), keep('other', 1, now - 15 * DAY)]);
    await removeAllOld(4);
    expect([await kept(), await kept('other')]).toEqual([[1, 3], [1]]);
  });

  it('are removed when there are too many newer ones', async () => {
    await slot.write([keep('w', 1, now), keep('w', 2, null), keep('w', 3, now), keep('w', MOST_ENDED + 2, now)]);
    await removeAllOld(MOST_ENDED + 3);
    expect(await kept()).toEqual([2, 3, MOST_ENDED + 2]);
  });

  it('are removed when there are too many newer ones, however many older ones wait', async () => {
    const waiting = Array.from({ length: MOST_CHANGES }, (_, index) => index + 1);
    await slot.write(waiting.map((n) => keep('w', n, null)));
    await slot.write([keep('w', MOST_CHANGES + 1, now), keep('w', MOST_ENDED + MOST_CHANGES + 2, now)]);
    await removeAllOld(MOST_ENDED + MOST_CHANGES + 3);
    expect(await kept()).toEqual([...waiting, MOST_ENDED + MOST_CHANGES + 2]);
  });

  it('are removed in short steps with their webhook, and the cursor is removed last', async () => {
    for (let from = 0; from < 2 * MOST_CHANGES; from += MOST_CHANGES)
      await slot.write(Array.from({ length: MOST_CHANGES }, (_, index) => keep('w', from + index + 1, null)));
    await slot.write([put(cursorRows, 'w', cursor(1)), keep('other', 1, null)]);
    let steps = 0;
    for (; (await allCursors(models)).length > 0; steps++) await removeAllOf(models, slot, 'w');
    expect([steps, await kept(), await kept('other')]).toEqual([3, [], [1]]);
  });
});
