import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import type { WebhookRow } from '../src/projections/webhooks/webhooks.ts';
import { bad, good, logOf, PumpRig, webhook } from './webhook-pump-rig.ts';

const from = Instant.ofMillis(1);
const replayed: WebhookRow = { ...webhook, orders: [{ number: 1, orderId: 'o', type: 'replay', from }], ordered: 1 };
const retried: WebhookRow = { ...webhook, orders: [{ number: 1, orderId: 'o', type: 'retry', deliveryId: 'e1.0' }], ordered: 1 };

describe('orders for the deliveries of a webhook', () => {
  let rig: PumpRig;
  beforeEach(async () => {
    rig = await PumpRig.open();
  });
  afterEach(() => rig.close());

  const delivered = (count: number) => waitFor(async () => (await rig.rows('delivered')).length === count, { what: 'the deliveries' });

  it('are carried out once', async () => {
    const one = await rig.pump(await rig.claim(), logOf(1), async () => good);
    one.go(webhook);
    await one.stopped();
    one.go(replayed);
    await one.stopped();
    expect(rig.sent).toEqual(['e1.0', 'e1.1', 'e1.0', 'e1.1']);
    one.go(replayed);
    await one.stopped();
    const restarted = await rig.pump(await rig.claim(), logOf(1), async () => good);
    restarted.go(replayed);
    await restarted.stopped();
    expect([rig.sent.length, (await rig.cursor())?.seen]).toEqual([4, 1]);
  });

  it('replay events since the given time, and no earlier ones', async () => {
    const one = await rig.pump(await rig.claim(), logOf(3, 1, 3), async () => good);
    one.go(webhook);
    await one.stopped();
    rig.sent.length = 0;
    one.go(replayed);
    await one.stopped();
    expect(rig.sent).toEqual(['e3.0', 'e3.1']);
  });

  it('do not skip unread events from before the given time', async () => {
    const one = await rig.pump(await rig.claim(), logOf(3, 1, 3), async () => good);
    one.go(replayed);
    await one.stopped();
    expect(rig.sent).toEqual(['e1.0', 'e1.1', 'e2.0', 'e2.1', 'e3.0', 'e3.1']);
  });

  it('keep the waiting deliveries of events before the given time', async () => {
    const one = await rig.pump(await rig.claim(), logOf(3, 3, 2), async () => (rig.now < 5_000 ? bad : good));
    one.go(webhook);
    await one.stopped();
    one.go(replayed);
    await one.stopped();
    rig.now = 1_000_000;
    one.go(replayed);
    await delivered(6);
    expect(await rig.rows('pending')).toEqual([]);
  });

  it('let requests in progress end before the events are sent again', async () => {
    const released = Promise.withResolvers<void>();
    const one = await rig.pump(await rig.claim(), logOf(1), async () => {
      await released.promise;
      return good;
    });
    one.go(webhook);
    await waitFor(() => rig.sent.length > 0, { what: 'the first request' });
    await rig.severalRounds(one, replayed);
    expect(rig.sent).toEqual(['e1.0']);
    released.resolve();
    await delivered(2);
    await one.stopped();
    expect(rig.sent).toEqual(['e1.0', 'e1.0', 'e1.1']);
  });

  it('retry an ended delivery as the newest one', async () => {
    const one = await rig.pump(await rig.claim(), logOf(1), async () => good);
    one.go(webhook);
    await one.stopped();
    one.go(retried);
    await one.stopped();
    expect(rig.sent).toEqual(['e1.0', 'e1.1', 'e1.0']);
    expect((await rig.rows('delivered')).map(({ id, n }) => [id, n])).toEqual([
      ['e1.1', 2],
      ['e1.0', 3],
    ]);
    expect(await rig.cursor()).toMatchObject({ seen: 1, next: 4 });
  });

  it('retry a waiting delivery at once without changing its position', async () => {
    let answer = bad;
    const one = await rig.pump(await rig.claim(), logOf(1), async () => answer);
    one.go(webhook);
    await one.stopped();
    answer = good;
    one.go(retried);
    await delivered(2);
    expect([rig.sent, (await rig.rows('delivered')).map(({ n }) => n)]).toEqual([
      ['e1.0', 'e1.0', 'e1.1'],
      [1, 2],
    ]);
  });
});
