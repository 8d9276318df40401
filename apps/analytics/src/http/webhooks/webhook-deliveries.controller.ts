import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, Audited, AuditedRead, csvList, FreshId, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsIn, IsOptional } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Delivery, DELIVERY_STATUSES } from '../../domain/delivery.ts';
import { DeliveriesOf, DeliveryById } from '../../projections/webhooks/webhook-deliveries.ts';
import { EventFeed } from '../../workflows/deliveries/event-feed.ts';
import { WebhookChanges } from '../../workflows/deliveries/webhook-changes.ts';
import { DeliveryAnswer, deliveryAnswer, DeliveryPageAnswer, DeliveryWithEventAnswer, ReplayAnswer, withEvent } from './webhook-answers.ts';
import { ReplayBody } from './webhook-bodies.ts';

class DeliveriesQuery extends PageQuery {
  @IsOptional() @IsIn(DELIVERY_STATUSES) status?: string;
}

const deliveryNotFound = () =>
  refuse('missing', 'delivery_not_found', 'There is no such delivery. Deliveries are kept for a limited time; replay the events instead.');

const COLUMNS = [
  'delivery_id',
  'event_type',
  'subject',
  'event_time',
  'status',
  'tries',
  'next_try_time',
  'last_try_time',
  'last_status',
  'last_error',
  'last_milliseconds',
] as const;

@Controller('admin/webhooks/:webhookId')
@Needs('Admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly changes: WebhookChanges,
    private readonly feed: EventFeed,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  @Get('deliveries')
  @AuditedRead('view_webhook_deliveries', 'webhook', 'webhookId')
  @Summary('List the deliveries of a webhook, newest first: waiting ones, and those that ended in the last `webhookRetentionDays` days.')
  @Answers(200, DeliveryPageAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('webhook_not_found', 404)
  list(
    @IdParam('webhookId') webhookId: string,
    @Query() query: DeliveriesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!acceptsCsv(request.headers.accept)) return this.page(webhookId, query);
    const read = (page: PageQuery) => this.page(webhookId, { status: query.status, ...page });
    return csvList(reply, { list: 'deliveries', columns: COLUMNS, read });
  }

  private async page(webhookId: string, { limit, next_token, status }: DeliveriesQuery): Promise<z.infer<typeof DeliveryPageAnswer>> {
    await this.changes.row(webhookId);
    const asked = { list: 'webhook-deliveries', webhookId, status: status ?? null };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(asked, next_token);
    const wanted = status as Delivery['status'] | undefined;
    const { deliveries, next } = await this.queries.execute(new DeliveriesOf(webhookId, wanted, limit, after));
    return { deliveries: deliveries.map(deliveryAnswer), next_token: next && this.tokens.seal(asked, next) };
  }

  @Get('deliveries/:deliveryId')
  @AuditedRead('view_webhook_delivery', 'webhook', 'webhookId')
  @Summary('Get a delivery with its event.')
  @Answers(200, DeliveryWithEventAnswer)
  @Refuses('delivery_not_found', 404)
  @Refuses('webhook_not_found', 404)
  async one(@IdParam('webhookId') webhookId: string, @IdParam('deliveryId') deliveryId: string): Promise<DeliveryWithEventAnswer> {
    const delivery = await this.delivery(webhookId, deliveryId);
    return withEvent(delivery, await this.feed.event(delivery.source, delivery.sequence));
  }

  @Post('deliveries/:deliveryId/retry')
  @HttpCode(202)
  @Audited('retry_webhook_delivery', 'webhook', 'webhookId')
  @Summary('Send an event again, or try a waiting delivery now. The number of attempts is reset.')
  @Answers(202, DeliveryAnswer)
  @Refuses('delivery_not_found', 404)
  @Refuses('webhook_not_found', 404)
  @Refuses('webhook_busy', 503)
  async retry(
    @IdParam('webhookId') webhookId: string,
    @IdParam('deliveryId') deliveryId: string,
    @FreshId() orderId: string,
  ): Promise<DeliveryAnswer> {
    const delivery = await this.delivery(webhookId, deliveryId);
    await this.changes.order(webhookId, { type: 'RetryDelivery', orderId, deliveryId });
    return deliveryAnswer(delivery);
  }

  @Post('replay')
  @HttpCode(202)
  @Audited('replay_webhook', 'webhook', 'webhookId')
  @Summary('Send all events since a given time again, in order. Later events follow them.')
  @Answers(202, ReplayAnswer)
  @Refuses('replay_in_future', 400)
  @Refuses('webhook_not_found', 404)
  @Refuses('webhook_busy', 503)
  async replay(
    @IdParam('webhookId') webhookId: string,
    @FreshId() orderId: string,
    @Body() { from }: ReplayBody,
  ): Promise<z.infer<typeof ReplayAnswer>> {
    const order = { type: 'Replay', orderId, from: Instant.ofSeconds(from), now: this.clock.now() } as const;
    await this.changes.order(webhookId, order);
    return { from };
  }

  private async delivery(webhookId: string, deliveryId: string): Promise<Delivery> {
    await this.changes.row(webhookId);
    const delivery = await this.queries.execute(new DeliveryById(webhookId, deliveryId));
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }
}
