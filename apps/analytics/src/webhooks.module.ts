import { randomUUID } from 'node:crypto';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventStreams, type Host } from '@parlance/foundation';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { ReadModels } from '@parlance/read-models';
import { WebhookSender } from './adapters/webhooks/webhook-sender.ts';
import { AdminWebhooksController } from './http/webhooks/admin-webhooks.controller.ts';
import { EventsController } from './http/webhooks/events.controller.ts';
import { WebhookDeliveriesController } from './http/webhooks/webhook-deliveries.controller.ts';
import { DeliverySlots } from './workflows/deliveries/delivery-slots.ts';
import { EventFeed } from './workflows/deliveries/event-feed.ts';
import { EventsOfServices } from './workflows/deliveries/events-of-services.ts';
import { WebhookChanges } from './workflows/deliveries/webhook-changes.ts';
import { WebhookDelivery } from './workflows/deliveries/webhook-delivery.ts';
import { WebhookSecrets } from './workflows/deliveries/webhook-secrets.ts';
import { WebhookStates } from './workflows/deliveries/webhook-states.ts';

/** How long a crashed replica delays the deliveries of its webhooks. */
const LEASE_MILLIS = 6_000;

/** Event subscriptions: webhooks, and event streams. */
@Module({})
export class WebhooksModule {
  static of({ config, shutdown }: Host): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [AdminWebhooksController, WebhookDeliveriesController, EventsController],
      providers: [
        {
          provide: GuardedFetch,
          useFactory: () => {
            const guarded = new GuardedFetch({ allowedPrivateRanges: config.fetchAllowedPrivateRanges, userAgent: 'Parlance-Webhooks' });
            shutdown.stop('stores', 'analytics: webhook requests', () => guarded.close());
            return guarded;
          },
        },
        {
          provide: DeliverySlots,
          // Only one process can open the data directory, so an owned slot in it belongs to a process that has ended.
          useFactory: async (models: ReadModels) => {
            const slots = new DeliverySlots(models, randomUUID(), config.mongoUri === null ? 0 : LEASE_MILLIS);
            // Before the projector starts: it removes rows that no process has declared for a week, even if the service was down for that
            // time.
            await slots.prepare();
            return slots;
          },
          inject: [ReadModels],
        },
        EventFeed,
        EventStreams,
        EventsOfServices,
        WebhookSender,
        WebhookSecrets,
        WebhookChanges,
        WebhookDelivery,
        WebhookStates,
      ],
      exports: [WebhookStates, EventStreams],
    };
  }
}
