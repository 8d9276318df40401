import type { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, put, remove } from '@parlance/read-models';
import { type Attempt, attempted, restarted, type Delivery, dueDelivery, isGone } from '../../domain/delivery.ts';
import { earlierOf, isAfter, type LogPositions } from '../../domain/log-positions.ts';
import type { Order } from '../../domain/webhook.ts';
import { cursorRows, deliveryKey, deliveryRows, type WebhookCursor } from '../../projections/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { type HeldSlot, MOST_CHANGES } from './delivery-slots.ts';
import { type EventFeed, type FeedPage, SOURCES } from './event-feed.ts';
import { PendingDeliveries, type PendingPage } from './pending-deliveries.ts';

/**
 * The most waiting deliveries of a webhook in memory. Further events wait in the logs. The events of a stream are sent one after another, so a
 * burst of one stream, such as a thousand new groups, must fit beside the events of others.
 */
export const MOST_PENDING = 1_000;
/** The most concurrent requests to one webhook. Each webhook has its own limit, so a slow endpoint delays no other. */
export const SENT_AT_ONCE = 4;
/** Without deliveries, the position in the logs is written this often. */
const CURSOR_MILLIS = 10_000;

export interface PumpParts {
  /** The most waiting deliveries in memory. */
  readonly mostPending: number;
  readonly slot: HeldSlot;
  readonly feed: EventFeed;
  /** Stored deliveries that have not ended, in the order of `n`, from the first one after `n` on. */
  readonly pendingAfter: (n: number) => Promise<PendingPage>;
  readonly cursor: WebhookCursor;
  readonly now: () => Instant;
  readonly random: () => number;
  /** Null if the result is unknown, because the signal was aborted or the process ends. */
  readonly send: (webhook: WebhookRow, event: CloudEvent, signal: AbortSignal) => Promise<Attempt | null>;
  readonly disable: (webhookId: string) => Promise<void>;
  readonly deliveryOf: (webhookId: string, id: string) => Promise<Delivery | null>;
  /** Called when the work on this webhook stops until `go` is called again. */
  readonly onError: (error: unknown) => void;
  /** Called when a service's log cannot be read. Another attempt follows. */
  readonly onUnread: (error: unknown, source: string) => void;
}

/**
 * Delivers the events of one webhook while this replica owns its slot: reads the logs, keeps what was read as pending deliveries, sends the
 * first of each stream, and records the results.
 */
export class WebhookPump {
  private readonly pending = new PendingDeliveries();
  private readonly sends = new Set<Promise<void>>();
  private readonly ends = new AbortController();
  private cursor: WebhookCursor;
  private cursorWrittenAt = performance.now();
  private working: Promise<void> | null = null;
  /** True: no new request is sent. */
  private isPaused = false;

  constructor(
    private readonly parts: PumpParts,
    private webhook: WebhookRow,
  ) {
    this.cursor = parts.cursor;
  }

  /** Starts all work that is possible now. Returns at once. */
  go(webhook = this.webhook): void {
    this.webhook = webhook;
    this.working ??= this.work()
      .catch((error: unknown) => this.parts.onError(error))
      .finally(() => (this.working = null));
  }

  /** Ends the requests, and resolves when nothing more is written. */
  stop(): Promise<void> {
    this.ends.abort();
    return this.stopped();
  }

  /** Resolves when no request runs and no log is read. */
  stopped(): Promise<void> {
    return Promise.resolve(this.working).then(() => this.settled());
  }

  private async settled(): Promise<void> {
    while (this.sends.size > 0) await Promise.all(this.sends);
  }

  private async work(): Promise<void> {
    await this.pending.load(this.parts.mostPending, this.parts.pendingAfter);
    for (const order of this.webhook.orders) if (order.number > this.cursor.seen && !(await this.carryOut(order))) break;
    if (!this.webhook.enabled) return;
    this.sendDue();
    // Further events are read only after all stored deliveries were loaded, because they come later in their streams.
    if (this.pending.isWhole) for (const source of SOURCES) await this.read(source);
  }

  /** The next page of a service; null if its log is unavailable. The other logs can still be read. */
  private async pageAfter(source: string, place: string): Promise<FeedPage | null> {
    try {
      return await this.parts.feed.after(source, place);
    } catch (error) {
      this.parts.onUnread(error, source);
      return null;
    }
  }

  private async read(source: string): Promise<void> {
    while (!this.ends.signal.aborted) {
      const room = Math.min(MOST_CHANGES, this.parts.mostPending - this.pending.size);
      if (room <= 0) return;
      const page = await this.pageAfter(source, this.cursor.places[source] ?? '0');
      if (!page) return;
      const wanted = page.events.filter(({ type, id }) => this.wants(type) && !this.pending.has(id));
      const taken = wanted.slice(0, room);
      const isWhole = taken.length === wanted.length;
      await this.take(source, taken, isWhole ? page.place : taken.at(-1)!.sequence);
      if (isWhole && page.isLast) return;
    }
  }

  private wants(type: string): boolean {
    const { eventTypes } = this.webhook;
    return eventTypes.length === 0 || eventTypes.includes(type);
  }

  private async take(source: string, events: readonly CloudEvent[], place: string): Promise<void> {
    const { places, next } = this.cursor;
    const now = this.parts.now();
    const webhook_id = this.webhook.id;
    const added = events.map(({ id, subject: stream, sequence, type: event_type, time: event_time }, index) =>
      dueDelivery({ webhook_id, id, n: next + index, source, stream, sequence, event_type, event_time }, now),
    );
    const moved: WebhookCursor = { ...this.cursor, places: { ...places, [source]: place }, next: next + added.length };
    const isLong = performance.now() - this.cursorWrittenAt >= CURSOR_MILLIS;
    if (added.length > 0 || (isLong && place !== places[source])) await this.write(added, moved);
    this.cursor = moved;
    for (const delivery of added) this.pending.add(delivery);
    this.sendDue();
  }

  private sendDue(): void {
    while (this.webhook.enabled && !this.isPaused && !this.ends.signal.aborted && this.pending.sent < SENT_AT_ONCE) {
      const delivery = this.pending.take(this.parts.now());
      if (!delivery) return;
      const sent = this.send(delivery)
        .then(
          (goesOn) => goesOn,
          (error: unknown) => (this.parts.onError(error), false),
        )
        .then((goesOn) => {
          this.sends.delete(sent);
          this.pending.settled(delivery);
          if (goesOn) this.sendDue();
        });
      this.sends.add(sent);
    }
  }

  /** Returns whether the next delivery can be sent. A result that could not be recorded counts as unknown, and the event is sent again. */
  private async send(delivery: Delivery): Promise<boolean> {
    const { feed, now, random, send, disable, onUnread } = this.parts;
    let event: CloudEvent | undefined;
    try {
      event = await feed.event(delivery.source, delivery.sequence);
    } catch (error) {
      onUnread(error, delivery.source);
      return false;
    }
    const attempt = event ? await send(this.webhook, event, this.ends.signal) : NOT_THERE;
    if (attempt === null) return false;
    const after = event ? attempted(delivery, attempt, now(), random()) : { ...delivery, ...ended(now()) };
    await this.write([after]);
    this.pending.replace(after);
    if (!isGone(attempt)) return true;
    this.webhook = { ...this.webhook, enabled: false };
    await disable(this.webhook.id);
    return false;
  }

  /** Carries out an order. False if a log that the order needs cannot be read now. */
  private async carryOut(order: Order): Promise<boolean> {
    if (order.type === 'retry') await this.retry(order);
    else {
      const places = await this.positionsAt(order.from);
      if (!places) return false;
      await this.replay(order.number, places);
    }
    return true;
  }

  private async positionsAt(at: Instant): Promise<LogPositions | null> {
    try {
      return await this.parts.feed.positionsAt(at);
    } catch (error) {
      this.parts.onUnread(error, 'any of them');
      return null;
    }
  }

  /** Goes back in the logs. Deliveries that will be read again are dropped, so that each stream stays in order. */
  private async replay(number: number, before: LogPositions): Promise<void> {
    this.isPaused = true;
    await this.settled();
    const places: LogPositions = Object.fromEntries(
      SOURCES.map((source) => [source, earlierOf(before[source] ?? '0', this.cursor.places[source] ?? '0')]),
    );
    await this.dropAfter(places);
    const cursor = { ...this.cursor, places, seen: number };
    await this.write([], cursor);
    this.cursor = cursor;
    this.isPaused = false;
  }

  private async dropAfter(places: LogPositions): Promise<void> {
    for (let n = 0, isLast = false; !isLast;) {
      const page = await this.parts.pendingAfter(n);
      const dropped = page.rows.filter(({ source, sequence }) => isAfter(sequence, places[source]!));
      for (let first = 0; first < dropped.length; first += MOST_CHANGES) {
        const some = dropped.slice(first, first + MOST_CHANGES);
        await this.parts.slot.write(some.map(({ webhook_id, id }) => remove(deliveryRows, deliveryKey(webhook_id, id))));
        for (const delivery of some) this.pending.remove(delivery);
      }
      n = page.rows.at(-1)?.n ?? n;
      isLast = page.isLast;
    }
  }

  /** Tries a pending delivery now, in its position. */
  private async retry({ number, deliveryId }: Order & { type: 'retry' }): Promise<void> {
    const delivery = await this.parts.deliveryOf(this.webhook.id, deliveryId);
    const cursor = { ...this.cursor, seen: number, next: this.cursor.next + 1 };
    const again = delivery && restarted(delivery, delivery.status === 'pending' ? delivery.n : this.cursor.next, this.parts.now());
    await this.write(again ? [again] : [], cursor);
    this.cursor = cursor;
    if (!again) return;
    if (this.pending.has(deliveryId)) this.pending.replace(again);
    // Otherwise the delivery is loaded later, in order.
    else if (this.pending.isWhole) this.pending.add(again);
  }

  private async write(deliveries: readonly Delivery[], cursor?: WebhookCursor): Promise<void> {
    const changes: Change[] = deliveries.map((delivery) => put(deliveryRows, deliveryKey(delivery.webhook_id, delivery.id), delivery));
    if (cursor) changes.push(put(cursorRows, cursor.webhook_id, cursor));
    await this.parts.slot.write(changes);
    if (cursor) this.cursorWrittenAt = performance.now();
  }
}

const NOT_THERE: Attempt = { status: null, error: 'The event is no longer in the log.', retryAfterMillis: null, millis: 0 };
const ended = (now: Instant) => ({ status: 'dead' as const, next_at: null, last_at: now, last_error: NOT_THERE.error, ended_at: now });
