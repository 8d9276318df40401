import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { WebhookDelivery } from '../workflows/deliveries/webhook-delivery.ts';

const EVERY_MILLIS = 500;

@Injectable()
export class DeliverEventsWhenWebhooksWantThem implements OnApplicationBootstrap {
  constructor(
    private readonly delivery: WebhookDelivery,
    private readonly timers: Timers,
    private readonly shutdown: ShutdownPlan,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.delivery.open();
    this.shutdown.stop('consumers', 'analytics: webhooks', () => this.delivery.stop());
    this.timers.every(EVERY_MILLIS, 'deliver events to webhooks', () => this.delivery.round());
  }
}
