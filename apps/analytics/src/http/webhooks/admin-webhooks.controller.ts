import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FreshSecondFactor } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, Audited, AuditedRead, csvList, etagOf, FreshId, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { WebhookPage, type WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { WebhookChanges } from '../../workflows/deliveries/webhook-changes.ts';
import { WebhookSecrets } from '../../workflows/deliveries/webhook-secrets.ts';
import { CreatedWebhook, RotatedSecret, WebhookAnswer, webhookAnswer, WebhookPageAnswer } from './webhook-answers.ts';
import { ChangeWebhookBody, CreateWebhookBody } from './webhook-bodies.ts';

const COLUMNS = ['id', 'url', 'event_types', 'description', 'enabled', 'disabled_because', 'create_time'] as const;

@Controller('admin/webhooks')
@Needs('Admin')
export class AdminWebhooksController {
  constructor(
    private readonly queries: QueryBus,
    private readonly changes: WebhookChanges,
    private readonly secrets: WebhookSecrets,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
    private readonly secondFactor: FreshSecondFactor,
  ) {}

  @Post()
  @Audited('create_webhook', 'webhook')
  @Summary('Create a webhook, whose address receives all later events. Only this answer contains the secret.')
  @Answers(201, CreatedWebhook)
  @Refuses('step_up_required', 403)
  @Refuses('too_many_webhooks', 409)
  async create(
    @FreshId() id: string,
    @Body() { url, event_types = [], description = '', enabled = true }: CreateWebhookBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Partial<z.infer<typeof CreatedWebhook>>> {
    await this.secondFactor.require();
    const terms = { url, eventTypes: event_types ?? [], description: description ?? '', enabled: enabled ?? true };
    const secret = await this.changes.create(id, terms);
    const answer = await this.tagged(await this.changes.row(id), reply);
    // A repeated request does not get the secret, which is no longer known.
    return secret === null ? answer : { ...answer, secret };
  }

  @Get()
  @AuditedRead('view_webhooks', 'webhook')
  @Summary('List the webhooks by ID, without their secrets.')
  @Answers(200, WebhookPageAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return csvList(reply, { list: 'webhooks', columns: COLUMNS, read: (its) => this.page(its) });
    return this.page(page);
  }

  private async page({ limit, next_token }: PageQuery): Promise<z.infer<typeof WebhookPageAnswer>> {
    const asked = { list: 'webhooks' };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(asked, next_token);
    const { webhooks, next } = await this.queries.execute(new WebhookPage(limit, after));
    const answers = await Promise.all(webhooks.map((row) => this.answer(row)));
    return { webhooks: answers, next_token: next && this.tokens.seal(asked, next) };
  }

  @Get(':webhookId')
  @AuditedRead('view_webhook', 'webhook', 'webhookId')
  @Summary('Get a webhook, without its secret.')
  @Answers(200, WebhookAnswer)
  @Refuses('webhook_not_found', 404)
  async find(@IdParam('webhookId') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<WebhookAnswer> {
    return this.tagged(await this.changes.row(id), reply);
  }

  @Patch(':webhookId')
  @Audited('change_webhook', 'webhook', 'webhookId')
  @Summary('Change the address, the event types or the description of a webhook, or enable or disable it.')
  @Answers(200, WebhookAnswer)
  @Refuses('step_up_required', 403)
  @Refuses('webhook_not_found', 404)
  async change(
    @IdParam('webhookId') id: string,
    @Body() { url, event_types, description, enabled }: ChangeWebhookBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<WebhookAnswer> {
    await this.secondFactor.require();
    const given = {
      ...(url != null && { url }),
      ...(event_types != null && { eventTypes: event_types }),
      ...(description != null && { description }),
      ...(enabled != null && { enabled }),
    };
    await this.changes.change(id, given, ifMatch);
    return this.tagged(await this.changes.row(id), reply);
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @Audited('remove_webhook', 'webhook', 'webhookId')
  @Summary('Remove a webhook with its secret and its deliveries.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('webhook_not_found', 404)
  async remove(@IdParam('webhookId') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.secondFactor.require();
    await this.changes.remove(id, ifMatch);
  }

  @Post(':webhookId/secret')
  @Audited('rotate_webhook_secret', 'webhook', 'webhookId')
  @Summary('Replace the secret of a webhook. For 24 hours requests are signed with both secrets. Only this answer contains the new secret.')
  @Answers(201, RotatedSecret)
  @Refuses('step_up_required', 403)
  @Refuses('webhook_not_found', 404)
  async rotate(@IdParam('webhookId') id: string, @FreshId() secretId: string): Promise<Partial<z.infer<typeof RotatedSecret>>> {
    await this.secondFactor.require();
    const secret = await this.changes.rotate(id, secretId);
    const { previous } = await this.changes.row(id);
    const until = { previous_secret_valid_until: Instant.toSeconds(previous?.until ?? this.clock.now()) };
    return secret === null ? until : { secret, ...until };
  }

  private async tagged(row: WebhookRow, reply: FastifyReply): Promise<WebhookAnswer> {
    reply.header('etag', etagOf(row.version));
    return this.answer(row);
  }

  private async answer(row: WebhookRow): Promise<WebhookAnswer> {
    return webhookAnswer(row, await this.secrets.opened(row), this.clock.now());
  }
}
