import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, METRICS } from '@parlance/foundation';
import type { Metrics } from '@parlance/observability';
import { ReadModels } from '@parlance/read-models';
import type { Delivery } from '../../domain/delivery.ts';
import { CursorOf, deliveryRows, type WebhookCursor } from '../../projections/webhooks/webhook-deliveries.ts';
import { AllWebhooks, type WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { EventFeed, SOURCES } from './event-feed.ts';

/** The most deliveries of one status that are counted for a webhook. This number means "this many or more". */
export const MOST_COUNTED = 200;
/** How long states are cached, because health and each metrics gauge read them at the same time. */
const KEPT_MILLIS = 1_000;

export interface WebhookState {
  readonly webhook_id: string;
  readonly enabled: boolean;
  /** Age of the oldest event that is neither delivered nor given up. 0 without one, and for a disabled webhook. */
  readonly lag_seconds: number;
  readonly pending: number;
  readonly dead_letters: number;
}

/** The state of the delivery to each webhook, from the rows that all replicas share. Also shown in metrics. */
@Injectable()
export class WebhookStates implements OnApplicationBootstrap {
  private kept: { readonly at: number; readonly states: Promise<readonly WebhookState[]> } | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly models: ReadModels,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.webhooks(async () =>
      (await this.all()).map(({ webhook_id, lag_seconds, pending, dead_letters }) => ({
        webhook: webhook_id,
        seconds: lag_seconds,
        pending,
        dead: dead_letters,
      })),
    );
  }

  /** The states of all webhooks, at most a second old. */
  all(): Promise<readonly WebhookState[]> {
    const now = this.clock.steady();
    if (this.kept && now - this.kept.at < KEPT_MILLIS) return this.kept.states;
    const states = this.read();
    this.kept = { at: now, states };
    states.catch(() => (this.kept = null));
    return states;
  }

  private async read(): Promise<readonly WebhookState[]> {
    const states: WebhookState[] = [];
    for (const webhook of await this.queries.execute(new AllWebhooks())) states.push(await this.stateOf(webhook));
    return states;
  }

  private async stateOf(webhook: WebhookRow): Promise<WebhookState> {
    const { id, enabled } = webhook;
    const [pending, dead] = [await this.deliveries(id, 'pending'), await this.deliveries(id, 'dead')];
    const times = pending.length > 0 ? pending.map(({ event_time }) => event_time) : await this.unread(webhook);
    const [oldest] = enabled ? times.toSorted() : [];
    return {
      webhook_id: id,
      enabled,
      lag_seconds: oldest === undefined ? 0 : Math.max(0, Math.round(this.clock.now() - Date.parse(oldest)) / 1_000),
      pending: pending.length,
      dead_letters: dead.length,
    };
  }

  /** The first deliveries of a status, in the order in which their events were read. */
  private async deliveries(webhook_id: string, status: Delivery['status']): Promise<readonly Delivery[]> {
    return (await this.models.find(deliveryRows, { index: 'byStatus', where: { webhook_id, status }, limit: MOST_COUNTED })).rows;
  }

  /** The times of the first event of each log that the delivery has yet to read, if it is on the page after the stored position. */
  private async unread({ id, enabled, eventTypes }: WebhookRow): Promise<readonly string[]> {
    const cursor: WebhookCursor | null = await this.queries.execute(new CursorOf(id));
    if (!cursor || !enabled) return [];
    const times: string[] = [];
    for (const source of SOURCES) {
      // A log that cannot be read is reported as the state of its service.
      const page = await this.feed.after(source, cursor.places[source] ?? '0').catch(() => null);
      const first = page?.events.find(({ type }) => eventTypes.length === 0 || eventTypes.includes(type));
      if (first) times.push(first.time);
    }
    return times;
  }
}
