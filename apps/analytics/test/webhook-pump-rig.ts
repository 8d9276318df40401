import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Instant } from '@parlance/decider';
import { Clock, type PublishedEventsOfServices } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { put, type ReadModels } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { type Attempt, type Delivery, dueDelivery } from '../src/domain/delivery.ts';
import { cursorRows, deliveryKey, deliveryRows, pendingAfter } from '../src/projections/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../src/projections/webhooks/webhooks.ts';
import { DeliverySlots, type HeldSlot, slotOf } from '../src/workflows/deliveries/delivery-slots.ts';
import { EventFeed } from '../src/workflows/deliveries/event-feed.ts';
import { WebhookPump } from '../src/workflows/deliveries/webhook-pump.ts';

/** Fewer than in a service, so that the tests are quick. */
export const MOST_PENDING = 200;

export const good: Attempt = { status: 200, error: null, retryAfterMillis: null, millis: 1 };
export const bad: Attempt = { status: 500, error: 'No.', retryAfterMillis: null, millis: 1 };

export interface TestLog extends PublishedEventsOfServices {
  commits: number;
}

/** The log of bots with commits of two events each. The other logs are empty. Each time is the time of the commit's `begin`. */
export function logOf(commits: number, streams = 1, begin = 1): TestLog {
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
  const log = {
    commits,
    after: async (source: string, position: number) => {
      const head = source === 'bots' ? log.commits : 0;
      const last = Math.min(head, position + 100);
      const all = Array.from({ length: Math.max(0, last - position) }, (_, index) => position + 1 + index);
      return { events: all.flatMap((at) => [event(at, 0), event(at, 1)]), position: Math.max(position, last), head };
    },
    positionAt: async (source: string) => (source === 'bots' ? begin : 1),
  };
  return log as unknown as TestLog;
}

export const webhook = { id: 'w', enabled: true, eventTypes: [], orders: [], ordered: 0 } as unknown as WebhookRow;

/** The pump of one webhook on its own database. */
export class PumpRig {
  readonly sent: string[] = [];
  readonly errors: unknown[] = [];
  readonly disabled: string[] = [];
  now = 1_000;

  private constructor(
    readonly models: ReadModels,
    readonly slots: DeliverySlots,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<PumpRig> {
    const directory = await mkdtemp(join(tmpdir(), 'webhook-pump-'));
    const file = await openSqliteFile(join(directory, 'pump.db'));
    const models = await openSqliteReadModels(file);
    const slots = new DeliverySlots(models, 'one', 0);
    await slots.open();
    return new PumpRig(models, slots, async () => {
      await file.close();
      await rm(directory, { recursive: true });
    });
  }

  async claim(): Promise<HeldSlot> {
    return (await this.slots.claim(slotOf('w')))!;
  }

  /** Stores the deliveries of the first commits of a log, like retries of dead letters do: more than a pump reads by itself. */
  async left(held: HeldSlot, commits: number, streams: number): Promise<void> {
    for (let position = 1; position <= commits; position++) {
      const both = [0, 1].map((index) => ({ id: `e${position}.${index}`, sequence: `${position}.${index}`, n: 2 * position + index - 1 }));
      const of = { webhook_id: 'w', source: 'bots', stream: `bot-${position % streams}`, event_type: 'parlance.bots.bot-created.v1' };
      const rows = both.map((each) => dueDelivery({ ...of, ...each, event_time: '2026-01-01T00:00:00Z' }, Instant.ofMillis(1)));
      await held.write(rows.map((row) => put(deliveryRows, deliveryKey('w', row.id), row)));
    }
    const cursor = { webhook_id: 'w', places: { bots: `${commits}` }, seen: 0, next: 2 * commits + 1 };
    await held.write([put(cursorRows, 'w', cursor)]);
  }

  async rows(status: Delivery['status']): Promise<readonly Delivery[]> {
    return (await this.models.find(deliveryRows, { index: 'byStatus', where: { webhook_id: 'w', status }, limit: 1_000 })).rows;
  }

  async cursor() {
    return this.models.get(cursorRows, 'w');
  }

  async pump(held: HeldSlot, log: PublishedEventsOfServices, send: (event: CloudEvent) => Promise<Attempt | null>): Promise<WebhookPump> {
    const parts = {
      mostPending: MOST_PENDING,
      slot: held,
      feed: new EventFeed(log, new Clock()),
      pendingAfter: (n: number) => pendingAfter(this.models, 'w', n, MOST_PENDING),
      cursor: (await this.cursor()) ?? { webhook_id: 'w', places: {}, seen: 0, next: 1 },
      now: () => Instant.ofMillis(this.now),
      random: () => 0,
      send: (_: WebhookRow, event: CloudEvent) => (this.sent.push(event.id), send(event)),
      disable: async (id: string) => void this.disabled.push(id),
      deliveryOf: (webhookId: string, id: string) => this.models.get(deliveryRows, deliveryKey(webhookId, id)),
      onError: (error: unknown) => this.errors.push(error),
      onUnread: (error: unknown) => this.errors.push(error),
    };
    return new WebhookPump(parts, webhook);
  }

  /** Lets a pump do all possible work while its requests wait. */
  async severalRounds(pump: WebhookPump, row: WebhookRow): Promise<void> {
    for (let round = 0; round < 50; round++) {
      pump.go(row);
      await this.rows('pending');
      await setImmediate();
    }
  }
}
