import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PublishedEventsOfServices } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import { Instant } from '@parlance/decider';
import { SENT_AT_ONCE } from '../src/workflows/deliveries/webhook-pump.ts';
import { bad, good, logOf, MOST_PENDING, PumpRig, webhook } from './webhook-pump-rig.ts';

describe('the pump of a webhook', () => {
  let rig: PumpRig;
  beforeEach(async () => {
    rig = await PumpRig.open();
  });
  afterEach(() => rig.close());

  it('resends an event whose result was not recorded, with the same ID, and then the later ones of its stream', async () => {
    const log = logOf(2);
    const killed = await rig.claim();
    const first = await rig.pump(killed, log, async () => {
      // Another process takes the slot between the request and its record, as after a crash.
      if (rig.sent.length === 2) await rig.claim();
      return good;
    });
    first.go(webhook);
    await waitFor(async () => rig.errors.length > 0, { what: 'the refused record' });
    await first.stopped();
    expect(rig.sent).toEqual(['e1.0', 'e1.1']);
    const second = await rig.pump(await rig.claim(), log, async () => good);
    second.go(webhook);
    await waitFor(async () => (await rig.rows('delivered')).length === 4, { what: 'all deliveries' });
    expect(rig.sent).toEqual(['e1.0', 'e1.1', 'e1.1', 'e2.0', 'e2.1']);
  });

  it('keeps a bounded number of deliveries while the endpoint is down, and loses none', async () => {
    const log = logOf(250, 250);
    const one = await rig.pump(await rig.claim(), log, async () => (rig.now < 5_000 ? bad : good));
    one.go(webhook);
    await waitFor(async () => rig.sent.length >= MOST_PENDING / 2, { what: 'the first of each stream' });
    await one.stopped();
    expect((await rig.rows('pending')).length).toBe(MOST_PENDING);
    rig.now = 1_000_000;
    await waitFor(
      async () => {
        one.go(webhook);
        return (await rig.rows('delivered')).length === 500;
      },
      { what: 'all deliveries' },
    );
    expect(new Set(rig.sent).size).toBe(500);
    expect(rig.errors).toEqual([]);
  });

  it('delivers all waiting deliveries in order after a restart, before newer events of their streams, however many there are', async () => {
    const log = logOf(500, 2);
    const held = await rig.claim();
    await rig.left(held, 450, 2);
    const one = await rig.pump(held, log, async () => good);
    await waitFor(async () => (one.go(webhook), rig.sent.length >= 1_000), { what: 'all deliveries' });
    await one.stopped();
    const numbers = rig.sent.map((id) => Number(id.slice(1).replace('.', '')));
    for (const stream of [0, 1]) {
      const ofStream = numbers.filter((number) => Math.floor(number / 10) % 2 === stream);
      expect(ofStream).toEqual(ofStream.toSorted((a, b) => a - b));
    }
    expect([numbers.length, new Set(numbers).size, rig.errors]).toEqual([1_000, 1_000, []]);
    expect((await rig.rows('pending')).length).toBe(0);
  });

  it('keeps a bounded number of the stored deliveries in memory, and retries the others later', async () => {
    const held = await rig.claim();
    await rig.left(held, 450, 450);
    const one = await rig.pump(held, logOf(450, 450), async () => (rig.now < 5_000 ? bad : good));
    const retry = { number: 1, orderId: 'o', type: 'retry', deliveryId: 'e450.1' } as const;
    const ordered = { ...webhook, orders: [retry], ordered: 1 };
    one.go(ordered);
    await one.stopped();
    // Only the first delivery of each stream in memory was sent.
    expect(rig.sent.length).toBeLessThanOrEqual(2 * MOST_PENDING);
    rig.now = 1_000_000;
    await waitFor(async () => (one.go(ordered), (await rig.rows('delivered')).length === 900), { what: 'all deliveries' });
    await one.stopped();
    expect(rig.sent.at(-1)).toBe('e450.1');
  });

  it('drops the stored deliveries that a replay reads again, including those that are not in memory', async () => {
    const held = await rig.claim();
    await rig.left(held, 450, 1);
    const one = await rig.pump(held, logOf(450, 1, 1), async () => good);
    const replay = { number: 1, orderId: 'o', type: 'replay', from: Instant.ofMillis(1) } as const;
    const ordered = { ...webhook, orders: [replay], ordered: 1 };
    await waitFor(async () => (one.go(ordered), (await rig.rows('delivered')).length === 900), { what: 'all deliveries' });
    await one.stopped();
    expect([rig.sent.length, (await rig.rows('pending')).length]).toEqual([900, 0]);
    expect(rig.sent.slice(0, 3)).toEqual(['e1.0', 'e1.1', 'e2.0']);
  });

  it('delivers events of the other services while one log cannot be read', async () => {
    const { after, ...log } = logOf(1);
    const away = {
      ...log,
      after: async (source: string, ...rest: [number, { bytes: number }]) => {
        if (source === 'identity') throw new Error('away');
        return after(source, ...rest);
      },
    } as unknown as PublishedEventsOfServices;
    const one = await rig.pump(await rig.claim(), away, async () => good);
    one.go(webhook);
    await waitFor(async () => (await rig.rows('delivered')).length === 2, { what: 'the deliveries' });
    await one.stopped();
  });

  it('lets other work run while it reads a long log', async () => {
    const pages = 200;
    const one = await rig.pump(await rig.claim(), logOf(100 * pages), async () => good);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    one.go({ ...webhook, eventTypes: ['parlance.bots.bot-deleted.v1'] });
    await one.stopped();
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(pages);
  });

  it('sends nothing for a disabled webhook, and its events when it is enabled again', async () => {
    const one = await rig.pump(await rig.claim(), logOf(1), async () => good);
    one.go({ ...webhook, enabled: false });
    await one.stopped();
    expect([rig.sent, await rig.rows('pending')]).toEqual([[], []]);
    one.go(webhook);
    await waitFor(async () => (await rig.rows('delivered')).length === 2, { what: 'the deliveries' });
  });

  it('sends a bounded number of requests at the same time', async () => {
    const released = Promise.withResolvers<void>();
    const one = await rig.pump(await rig.claim(), logOf(10, 10), async () => {
      await released.promise;
      return good;
    });
    one.go(webhook);
    await waitFor(() => rig.sent.length >= SENT_AT_ONCE, { what: 'the first requests' });
    await rig.severalRounds(one, webhook);
    expect(rig.sent).toHaveLength(SENT_AT_ONCE);
    released.resolve();
    await waitFor(async () => (await rig.rows('delivered')).length === 20, { what: 'the deliveries' });
  });

  it('keeps a delivery with an unknown result for the next round', async () => {
    let unknown = 100;
    const one = await rig.pump(await rig.claim(), logOf(1), async () => (unknown-- > 0 ? null : good));
    one.go(webhook);
    await one.stopped();
    expect([unknown > 0, (await rig.rows('pending')).map(({ tries }) => tries)]).toEqual([true, [0, 0]]);
  });

  it('sends nothing more to an endpoint that is gone', async () => {
    const disabled = Promise.withResolvers<void>();
    const one = await rig.pump(await rig.claim(), logOf(10, 10), async ({ id }) => {
      if (id === 'e1.0') return { ...bad, status: 410 };
      await disabled.promise;
      return good;
    });
    one.go(webhook);
    await waitFor(() => rig.disabled.length > 0, { what: 'the webhook to be disabled' });
    disabled.resolve();
    await one.stopped();
    expect([rig.disabled, rig.sent.length]).toEqual([['w'], SENT_AT_ONCE]);
    expect((await rig.rows('dead')).map(({ id }) => id)).toEqual(['e1.0']);
  });

  it('gives up an event that is no longer in the log, and continues with the later ones of its stream', async () => {
    const held = await rig.claim();
    const one = await rig.pump(held, logOf(2), async () => bad);
    one.go(webhook);
    await waitFor(async () => (await rig.rows('pending'))[0]?.tries === 1, { what: 'the first try' });
    await one.stopped();
    rig.now = 1_000_000;
    const shorter = await rig.pump(
      held,
      { ...logOf(2), after: async () => ({ events: [], position: 2, head: 2 }) } as never,
      async () => good,
    );
    shorter.go(webhook);
    await waitFor(async () => (await rig.rows('dead')).length === 4, { what: 'the end of the deliveries' });
    expect(rig.sent).toEqual(['e1.0']);
  });

  it('records its position from time to time, even without deliveries', async () => {
    const log = logOf(1);
    const time = jest.spyOn(performance, 'now');
    const begun = performance.now();
    const one = await rig.pump(await rig.claim(), log, async () => good);
    const others = { ...webhook, eventTypes: ['parlance.bots.bot-deleted.v1'] };
    one.go(others);
    await one.stopped();
    expect(await rig.cursor()).toBeNull();
    log.commits = 2;
    time.mockImplementation(() => begun + 60_000);
    one.go(others);
    await one.stopped();
    time.mockRestore();
    expect((await rig.cursor())?.places['bots']).toBe('2');
  });
});
