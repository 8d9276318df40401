import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { put, type ReadModels } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { waitFor } from '@parlance/testing';
import { cursorRows } from '../../projections/webhook-deliveries.ts';
import { DeliverySlots, SlotLost, slotOf } from './delivery-slots.ts';

const LEASE = 200;
const slot = slotOf('w');
const cursor = (seen: number) => put(cursorRows, 'w', { webhook_id: 'w', places: {}, seen, next: 1 });

describe('the slots of two replicas', () => {
  let models: ReadModels;
  let end: () => Promise<void>;

  const replica = async (name: string, lease = LEASE) => {
    const slots = new DeliverySlots(models, name, lease);
    await slots.open();
    return slots;
  };
  const seen = async () => (await models.get(cursorRows, 'w'))?.seen;

  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'delivery-slots-'));
    const file = await openSqliteFile(join(directory, 'slots.db'));
    models = await openSqliteReadModels(file);
    end = async () => {
      await file.close();
      await rm(directory, { recursive: true });
    };
  });
  afterEach(() => end());

  it('are held by one of them', async () => {
    const [one, other] = [await replica('one'), await replica('other')];
    const claims = await Promise.all([one.claim(slot), other.claim(slot)]);
    expect(claims.filter((held) => held !== null)).toHaveLength(1);
  });

  it('are taken over when the holder shows no life, and its late write is refused', async () => {
    const [one, other] = [await replica('one'), await replica('other')];
    const dead = (await one.claim(slot))!;
    await dead.write([cursor(1)]);
    expect(await other.claim(slot)).toBeNull();
    const held = await waitFor(() => other.claim(slot), { what: 'the slot' });
    await held!.write([cursor(2)]);
    await expect(dead.write([cursor(3)])).rejects.toBeInstanceOf(SlotLost);
    expect(await seen()).toBe(2);
  });

  it('stay with a holder that shows life', async () => {
    const [one, other] = [await replica('one'), await replica('other')];
    const held = (await one.claim(slot))!;
    const until = performance.now() + 3 * LEASE;
    await waitFor(
      async () => {
        await held.beat(0);
        expect(await other.claim(slot)).toBeNull();
        return performance.now() > until;
      },
      { what: 'some leases' },
    );
  });

  it('are free at once when they are given back', async () => {
    const [one, other] = [await replica('one'), await replica('other')];
    const held = (await one.claim(slot))!;
    await held.release();
    expect(await other.claim(slot)).not.toBeNull();
    await expect(held.write([cursor(1)])).rejects.toBeInstanceOf(SlotLost);
  });

  it('are free at the start where no other process can hold them', async () => {
    await (await replica('killed', 0)).claim(slot);
    expect(await (await replica('started', 0)).claim(slot)).not.toBeNull();
  });
});
