import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import type { Instant } from '@parlance/decider';
import { Clock, LOGGER } from '@parlance/foundation';
import { ReadModels } from '@parlance/read-models';
import type { Logger } from 'pino';
import { WebhookSender } from '../../adapters/webhooks/webhook-sender.ts';
import { ExecuteWebhook } from '../../commands/aggregates.ts';
import type { LogPositions } from '../../domain/log-positions.ts';
import { allCursors, cursorRows, DeliveryById, pendingAfter, type WebhookCursor } from '../../projections/webhooks/webhook-deliveries.ts';
import { AllWebhooks, WebhookById, type WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { DeliverySlots, type HeldSlot, SlotLost, slotOf } from './delivery-slots.ts';
import { EventFeed } from './event-feed.ts';
import { removeAllOf, removeOld } from './old-deliveries.ts';
import { WebhookPump, MOST_PENDING } from './webhook-pump.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

/** The number of heartbeats during a lease. */
const BEATS = 3;
const CLEANING_MILLIS = 60_000;
const DAY_MILLIS = 24 * 60 * 60_000;

interface Holding {
  readonly held: HeldSlot;
  readonly pumps: Map<string, WebhookPump>;
}

/** Delivers events to the webhooks of the slots that this replica owns. */
@Injectable()
export class WebhookDelivery implements OnApplicationBootstrap {
  private readonly holdings = new Map<string, Holding>();
  private openedAt = Number.NEGATIVE_INFINITY;
  private cleanedAt = performance.now();
  private isStopped = false;
  /** Whether the next round has something to do although nothing was written to the database. */
  private isUnfinished = false;
  /** When the last round found a slot of another replica. */
  private foundOthersAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly slots: DeliverySlots,
    private readonly models: ReadModels,
    private readonly feed: EventFeed,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.open();
  }

  /** Whether this replica owns no slots. */
  get isIdle(): boolean {
    return this.holdings.size === 0;
  }

  /** Whether a round can wait until something is written to the database. Nothing is written when the replica that owns a slot is lost. */
  get isFinished(): boolean {
    return !this.isUnfinished && performance.now() - this.foundOthersAt < this.slots.leaseMillis;
  }

  /** Must be called before the deliveries can be queried. */
  async open(): Promise<void> {
    await this.slots.open();
    this.openedAt = performance.now();
  }

  /** Continues the deliveries to the webhooks of the slots that this replica owns. Without new events, the database is not asked. */
  async deliver(): Promise<void> {
    for (const [slot, holding] of this.holdings) {
      try {
        if (this.slots.leaseMillis > 0) await holding.held.beat(this.slots.leaseMillis / BEATS);
        for (const pump of holding.pumps.values()) pump.go();
      } catch (error) {
        this.failed(slot, error, holding);
      }
    }
  }

  /** Claims slots, and starts or ends the work for their webhooks. */
  async round(): Promise<void> {
    if (this.isStopped) return;
    this.isUnfinished = false;
    this.foundOthersAt = Number.POSITIVE_INFINITY;
    if (performance.now() - this.openedAt > DAY_MILLIS) await this.open();
    const webhooks = await this.queries.execute(new AllWebhooks());
    const cursors = new Map((await allCursors(this.models)).map((cursor) => [cursor.webhook_id, cursor]));
    const bySlot = Map.groupBy(new Set([...webhooks.map(({ id }) => id), ...cursors.keys()]), slotOf);
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    const cleans = performance.now() - this.cleanedAt >= CLEANING_MILLIS;
    for (const slot of this.holdings.keys()) if (!bySlot.has(slot)) await this.give(slot);
    for (const [slot, ids] of bySlot) {
      try {
        await this.workOn(slot, ids, byId, cursors, cleans);
      } catch (error) {
        this.failed(slot, error);
      }
    }
    if (cleans) this.cleanedAt = performance.now();
  }

  /** Ends the requests and frees the slots, so that another replica continues at once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.holdings.keys()].map((slot) => this.give(slot).catch((error: unknown) => this.failed(slot, error))));
  }

  private async workOn(
    slot: string,
    ids: readonly string[],
    webhooks: ReadonlyMap<string, WebhookRow>,
    cursors: ReadonlyMap<string, WebhookCursor>,
    cleans: boolean,
  ): Promise<void> {
    const holding = this.holdings.get(slot) ?? (await this.take(slot));
    if (!holding) {
      this.foundOthersAt = performance.now();
      return;
    }
    const { held, pumps } = holding;
    for (const id of ids) {
      const webhook = webhooks.get(id);
      if (!webhook) {
        // Its request is ended, so that the other webhooks do not wait for an endpoint that does not answer.
        await pumps.get(id)?.stop();
        pumps.delete(id);
        this.isUnfinished = true;
        await removeAllOf(this.models, held, id);
        continue;
      }
      if (!pumps.has(id)) await this.load(holding, webhook);
      pumps.get(id)?.go(webhook);
      const cursor = cursors.get(id);
      if (cleans && cursor) while (await removeOld(this.models, held, cursor, this.config.webhookRetentionDays, this.clock.now()));
    }
  }

  private async take(slot: string): Promise<Holding | null> {
    const held = await this.slots.claim(slot);
    if (!held) return null;
    const holding = { held, pumps: new Map<string, WebhookPump>() };
    this.holdings.set(slot, holding);
    return holding;
  }

  /** Rows are read after the slot was taken, so no other replica changes them. */
  private async load(holding: Holding, webhook: WebhookRow): Promise<void> {
    const { held, pumps } = holding;
    const cursor = await this.models.get(cursorRows, webhook.id);
    // A new webhook gets the events since its creation.
    const places = cursor?.places ?? (await this.positionsAt(webhook.createdAt));
    if (!places) {
      this.isUnfinished = true;
      return;
    }
    const pump = new WebhookPump(
      {
        mostPending: MOST_PENDING,
        slot: held,
        feed: this.feed,
        pendingAfter: (n) => pendingAfter(this.models, webhook.id, n, MOST_PENDING),
        cursor: cursor ?? { webhook_id: webhook.id, places, seen: 0, next: 1 },
        now: () => this.clock.now(),
        random: Math.random,
        send: async ({ id }, event, signal) => {
          // The event may have happened after a rotation of the secret that the round has not seen.
          const now = await this.queries.execute(new WebhookById(id));
          const endpoint = now && (await this.secrets.endpointOf(now, this.clock.now()));
          return endpoint && this.sender.send(endpoint, event, this.clock.now(), signal);
        },
        disable: async (id) => void (await this.commands.execute(new ExecuteWebhook(id, { type: 'DisableAsGone' }))),
        deliveryOf: (webhookId, id) => this.queries.execute(new DeliveryById(webhookId, id)),
        onError: (error) => this.failed(held.slot, error, holding),
        onUnread: (err, source) => this.unread(err, source),
      },
      webhook,
    );
    pumps.set(webhook.id, pump);
  }

  /** The positions at a time; null while a service's log cannot be read. The other webhooks do not wait for it. */
  private async positionsAt(at: Instant): Promise<LogPositions | null> {
    try {
      return await this.feed.positionsAt(at);
    } catch (err) {
      this.unread(err, 'any of them');
      return null;
    }
  }

  private unread(err: unknown, source: string): void {
    this.log.warn({ err, source }, 'events of a service could not be read for webhooks; another attempt follows');
  }

  private async give(slot: string): Promise<void> {
    const holding = this.holdings.get(slot);
    if (!holding) return;
    this.holdings.delete(slot);
    await Promise.all([...holding.pumps.values()].map((pump) => pump.stop()));
    await holding.held.release();
  }

  /** Gives up a slot, because another replica owns it or a database is unavailable. The rows are read again when the slot is claimed again. */
  private failed(slot: string, err: unknown, holding = this.holdings.get(slot)): void {
    // A request from an earlier ownership may end after the slot was taken again.
    if (this.holdings.get(slot) !== holding) return;
    this.holdings.delete(slot);
    this.isUnfinished = true;
    for (const pump of holding?.pumps.values() ?? []) void pump.stop();
    if (this.isStopped) return;
    if (err instanceof SlotLost) this.log.info({ slot }, 'another replica is delivering to the webhooks of a slot');
    else this.log.warn({ err, slot }, 'events could not be delivered to webhooks; another attempt follows');
    // The slot is released so that the next claim does not wait for the end of the lease.
    void holding?.held.release().catch(() => undefined);
  }
}
