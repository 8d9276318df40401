import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { PublishedEventsOfServices } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { ReadModels } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { waitFor } from '@parlance/testing';
import type { Attempt } from '../../domain/delivery.ts';
import { cursorRows, deliveryRows } from '../../projections/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { DeliverySlots, type HeldSlot, slotOf } from './delivery-slots.ts';
import { EventFeed } from './event-feed.ts';
import { MOST_PENDING, WebhookPump } from './webhook-pump.ts';

const good: Attempt = { status: 200, error: null, retryAfterMillis: null, millis: 1 };
const bad: Attempt = { status: 500, error: 'No.', retryAfterMillis: null, millis: 1 };

/** The log of bots with commits of two events each. The other logs are empty. */
function logOf(commits: number, streams = 1): PublishedEventsOfServices {
  const event = (position: number, index: number): CloudEvent => ({
    specversion: '1.0',
    id: `e${position}.${index}`,
    source: '/bots',
    type: 'parlance.bots.bot-created.v1',
    subject: `bot-${position % streams}`,
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    sequence: `${position}.${index}`,
    data: {},
  });
  return {
    after: async (source: string, position: number) => {
      const head = source === 'bots' ? commits : 0;
      const last = Math.min(head, position + 100);
      const all = Array.from({ length: Math.max(0, last - position) }, (_, nth) => position + 1 + nth);
      return { events: all.flatMap((at) => [event(at, 0), event(at, 1)]), position: Math.max(position, last), head };
    },
    positionAt: async () => 1,
  } as unknown as PublishedEventsOfServices;
}

describe('the pump of a webhook', () => {
  let models: ReadModels;
  let slots: DeliverySlots;
  let end: () => Promise<void>;
  let sent: string[];
  let errors: unknown[];
  let now: number;
  const webhook = { id: 'w', enabled: true, eventTypes: [], orders: [], ordered: 0 } as unknown as WebhookRow;

  const pump = async (held: HeldSlot, log: PublishedEventsOfServices, send: (event: CloudEvent) => Promise<Attempt | null>) => {
    const { rows } = await models.find(deliveryRows, { index: 'byStatus', where: { webhook_id: 'w', status: 'pending' }, limit: 1_000 });
    const cursor = (await models.get(cursorRows, 'w')) ?? { webhook_id: 'w', places: {}, seen: 0, next: 1 };
    return new WebhookPump(
      {
        slot: held,
        feed: new EventFeed(log),
        pending: rows,
        cursor,
        now: () => Instant.ofMillis(now),
        random: () => 0,
        send: (_, event) => (sent.push(event.id), send(event)),
        disable: async () => undefined,
        deliveryOf: async () => null,
        onError: (error) => errors.push(error),
        onUnread: (error) => errors.push(error),
      },
      webhook,
    );
  };
  const claim = async () => (await slots.claim(slotOf('w')))!;
  const rows = async (status: string) =>
    (await models.find(deliveryRows, { index: 'byStatus', where: { webhook_id: 'w', status }, limit: 1_000 })).rows;

  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'webhook-pump-'));
    const file = await openSqliteFile(join(directory, 'pump.db'));
    models = await openSqliteReadModels(file);
    slots = new DeliverySlots(models, 'one', 0);
    await slots.open();
    [sent, errors, now] = [[], [], 1_000];
    end = async () => {
      await file.close();
      await rm(directory, { recursive: true });
    };
  });
  afterEach(() => end());

  it('sends an event again whose result was not recorded, with the same ID, and the later ones of its stream after it', async () => {
    const log = logOf(2);
    const killed = await claim();
    const first = await pump(killed, log, async () => {
      // Another process takes the slot between the request and its record, as after a crash.
      if (sent.length === 2) await claim();
      return good;
    });
    first.go(webhook);
    await waitFor(async () => errors.length > 0, { what: 'the refused record' });
    await first.stopped();
    expect(sent).toEqual(['e1.0', 'e1.1']);
    const second = await pump(await claim(), log, async () => good);
    second.go(webhook);
    await waitFor(async () => (await rows('delivered')).length === 4, { what: 'all deliveries' });
    expect(sent).toEqual(['e1.0', 'e1.1', 'e1.1', 'e2.0', 'e2.1']);
  });

  it('keeps a bounded number of deliveries while the endpoint is down, and loses none', async () => {
    const log = logOf(250, 250);
    const one = await pump(await claim(), log, async () => (now < 5_000 ? bad : good));
    one.go(webhook);
    await waitFor(async () => sent.length >= MOST_PENDING / 2, { what: 'the first of each stream' });
    await one.stopped();
    expect((await rows('pending')).length).toBe(MOST_PENDING);
    now = 1_000_000;
    await waitFor(
      async () => {
        one.go(webhook);
        return (await rows('delivered')).length === 500;
      },
      { what: 'all deliveries' },
    );
    expect(new Set(sent).size).toBe(500);
    expect(errors).toEqual([]);
  });

  it('delivers events of the other services while the log of one cannot be read', async () => {
    const { after, ...log } = logOf(1);
    const away = {
      ...log,
      after: async (source: string, ...rest: [number, { bytes: number }]) => {
        if (source === 'identity') throw new Error('away');
        return after(source, ...rest);
      },
    } as unknown as PublishedEventsOfServices;
    const one = await pump(await claim(), away, async () => good);
    one.go(webhook);
    await waitFor(async () => (await rows('delivered')).length === 2, { what: 'the deliveries' });
    await one.stopped();
  });

  it('lets other work run while it reads a long log', async () => {
    const pages = 200;
    const one = await pump(await claim(), logOf(100 * pages), async () => good);
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
    const one = await pump(await claim(), logOf(1), async () => good);
    one.go({ ...webhook, enabled: false });
    await one.stopped();
    expect(sent).toEqual([]);
    one.go(webhook);
    await waitFor(async () => (await rows('delivered')).length === 2, { what: 'the deliveries' });
  });
});
