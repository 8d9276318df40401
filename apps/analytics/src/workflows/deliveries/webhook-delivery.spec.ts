import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { ReadModels } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { waitFor } from '@parlance/testing';
import type { Logger } from 'pino';
import type { WebhookSender } from '../../adapters/webhooks/webhook-sender.ts';
import type { Attempt } from '../../domain/delivery.ts';
import { WebhookById, type WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { DeliverySlots, slotOf } from './delivery-slots.ts';
import type { EventFeed } from './event-feed.ts';
import { WebhookDelivery } from './webhook-delivery.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const good: Attempt = { status: 200, error: null, retryAfterMillis: null, millis: 1 };

interface Request {
  readonly webhook: string;
  readonly event: string;
  readonly signal: AbortSignal;
  readonly answer: (attempt: Attempt | null) => void;
}

const eventAt = (position: number) =>
  ({ id: `e${position}`, source: '/bots', subject: `bot-${position}`, sequence: `${position}.0`, type: 't', time: 'now' }) as CloudEvent;

describe('the delivery to all webhooks', () => {
  let models: ReadModels;
  let slots: DeliverySlots;
  let delivery: WebhookDelivery;
  let webhooks: WebhookRow[];
  let requests: Request[];
  let events: number;
  let warnings: unknown[];
  /** Called before the events are read. */
  let meanwhile: () => void;
  let positions: () => Promise<Record<string, string>>;
  let end: () => Promise<void>;

  const webhook = (id: string) =>
    ({ id, enabled: true, eventTypes: [], orders: [], ordered: 0, createdAt: 0, url: id }) as unknown as WebhookRow;
  const sentTo = (id: string) => requests.filter((each) => each.webhook === id);
  const rounds = (isDone: () => boolean, what: string) => waitFor(async () => (await delivery.round(), isDone()), { what });

  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'webhook-delivery-'));
    const file = await openSqliteFile(join(directory, 'delivery.db'));
    models = await openSqliteReadModels(file);
    slots = new DeliverySlots(models, 'one', 0);
    [webhooks, requests, warnings, events] = [[], [], [], 1];
    meanwhile = () => undefined;
    positions = async () => ({});
    const feed = {
      after: async (source: string, place: string) => {
        meanwhile();
        const from = Number(place.split('.')[0]);
        const found = source === 'bots' ? Array.from({ length: Math.max(0, events - from) }, (_, index) => eventAt(from + index + 1)) : [];
        return { events: found, place: source === 'bots' ? String(events) : place, isLast: true };
      },
      event: async (_: string, sequence: string) => eventAt(Number(sequence.split('.')[0])),
      positionsAt: () => positions(),
    };
    const sender = {
      send: ({ url }: { url: string }, { id }: CloudEvent, _: number, signal: AbortSignal) =>
        new Promise<Attempt | null>((answer) => requests.push({ webhook: url, event: id, signal, answer })),
    };
    delivery = new WebhookDelivery(
      slots,
      models,
      feed as unknown as EventFeed,
      sender as unknown as WebhookSender,
      { endpointOf: async ({ url }: WebhookRow) => ({ url, secrets: [] }) } as unknown as WebhookSecrets,
      {} as CommandBus,
      {
        execute: async (asked: object) =>
          asked instanceof WebhookById ? (webhooks.find(({ id }) => id === asked.args[0]) ?? null) : webhooks,
      } as unknown as QueryBus,
      { now: () => Instant.ofMillis(1_000) } as Clock,
      { webhookRetentionDays: 14 } as Config,
      { info: () => undefined, warn: (what: unknown) => warnings.push(what) } as unknown as Logger,
    );
    await delivery.open();
    end = async () => {
      for (const { answer } of requests) answer(null);
      await delivery.stop();
      await file.close();
      await rm(directory, { recursive: true });
    };
  });
  afterEach(() => end());

  it("uses the webhook's settings and secrets at the moment of sending", async () => {
    webhooks = [webhook('w')];
    meanwhile = () => (webhooks = [{ ...webhook('w'), url: 'changed' } as unknown as WebhookRow]);
    await rounds(() => requests.length === 1, 'the request');
    expect(sentTo('changed')).toHaveLength(1);
  });

  it('ends the requests of a removed webhook, so that the others do not wait for its endpoint', async () => {
    webhooks = [webhook('hangs')];
    await rounds(() => requests.length === 1, 'the request that hangs');
    const [hanging] = requests;
    hanging!.signal.addEventListener('abort', () => hanging!.answer(null));
    webhooks = [webhook('other')];
    const left = delivery.round();
    await waitFor(() => hanging!.signal.aborted, { what: 'the end of the request' });
    await left;
    await rounds(() => sentTo('other').length === 1, 'the event at the other webhook');
  });

  it('continues after a slot was claimed again, even if an earlier request ends late', async () => {
    webhooks = [webhook('w')];
    events = 2;
    await rounds(() => requests.length === 2, 'the first requests');
    const [one, other] = requests;
    await new DeliverySlots(models, 'other', 0).claim(slotOf('w'));
    one!.answer(good);
    await waitFor(() => other!.signal.aborted, { what: 'the abort of the other first request' });
    await rounds(() => requests.length === 4, 'the requests after the slot was claimed again');
    other!.answer(good);
    // Writes to the file run in order: once another slot is claimed, the late result has been refused.
    await slots.claim(['x', 'y', 'z'].map(slotOf).find((slot) => slot !== slotOf('w'))!);
    webhooks.push(webhook('next'));
    await rounds(() => sentTo('next').length === 2, 'the requests to another webhook after the late result');
    expect(
      sentTo('w')
        .slice(2)
        .map(({ signal }) => signal.aborted),
    ).toEqual([false, false]);
  });

  it('leaves a slot to another replica at once if it cannot deliver', async () => {
    webhooks = [webhook('w')];
    await rounds(() => requests.length === 1, 'the request');
    const write = jest.spyOn(models, 'apply').mockRejectedValueOnce(new Error('the database is unavailable'));
    requests[0]!.answer(good);
    await waitFor(() => delivery.isIdle, { what: 'the end of the work on the slot' });
    write.mockRestore();
    const other = new DeliverySlots(models, 'other', 600_000);
    await waitFor(async () => (await other.claim(slotOf('w'))) !== null, { what: 'the slot for the other replica' });
  });

  it('shows other replicas that it owns a slot while there is nothing to deliver', async () => {
    const LEASE = 600_000;
    Object.defineProperty(slots, 'leaseMillis', { value: LEASE });
    webhooks = [webhook('w')];
    await rounds(() => requests.length === 1, 'the request');
    const revision = async () => (await models.progress('webhook-deliveries', slotOf('w'))).revision;
    const before = await revision();
    await delivery.deliver();
    expect(await revision()).toBe(before);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE / 3);
    await delivery.deliver();
    now.mockRestore();
    expect(await revision()).toBeGreaterThan(before);
  });

  it('takes no slot after it has stopped', async () => {
    webhooks = [webhook('w')];
    await delivery.stop();
    await delivery.round();
    expect(delivery.isIdle).toBe(true);
  });

  it('delivers new events between two rounds', async () => {
    webhooks = [webhook('w')];
    await rounds(() => requests.length === 1, 'the first request');
    requests[0]!.answer(good);
    events = 2;
    await waitFor(async () => (await delivery.deliver(), requests.length === 2), { what: 'the event that came after the round' });
  });

  describe('lets the next round wait for a change', () => {
    const isFinished = async () => (await delivery.round(), delivery.isFinished);

    it('if it has claimed what it can', async () => {
      webhooks = [webhook('w')];
      expect(await isFinished()).toBe(true);
    });

    it('but not while rows of a removed webhook are left', async () => {
      webhooks = [webhook('w')];
      await rounds(() => requests.length === 1, 'the request');
      requests[0]!.answer(good);
      webhooks = [];
      expect(await isFinished()).toBe(false);
      expect(await isFinished()).toBe(true);
    });

    it('and not after a slot could not be claimed, which it logs', async () => {
      webhooks = [webhook('w')];
      const error = new Error('the database is unavailable');
      slots.claim = () => Promise.reject(error);
      expect(await isFinished()).toBe(false);
      expect(warnings).toEqual([{ err: error, slot: slotOf('w') }]);
    });

    it('and for a lease only if another replica owns a slot', async () => {
      webhooks = [webhook('w')];
      const LEASE = 600_000;
      Object.defineProperty(slots, 'leaseMillis', { value: LEASE });
      slots.claim = async () => null;
      expect(await isFinished()).toBe(true);
      const later = performance.now() + LEASE;
      const now = jest.spyOn(performance, 'now').mockReturnValue(later);
      expect(delivery.isFinished).toBe(false);
      now.mockRestore();
    });

    it('and not while the logs cannot be read from where a new webhook begins', async () => {
      webhooks = [webhook('w')];
      positions = () => Promise.reject(new Error('unavailable'));
      expect(await isFinished()).toBe(false);
    });
  });
});
