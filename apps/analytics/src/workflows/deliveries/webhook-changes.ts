import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-signature.ts';
import { ExecuteWebhook } from '../../commands/aggregates.ts';
import { MOST_ORDERS, type WebhookCommand, webhookNotFound, type WebhookTerms } from '../../domain/webhook.ts';
import { CursorOf } from '../../projections/webhooks/webhook-deliveries.ts';
import { AllWebhooks, MOST_WEBHOOKS, WebhookById, type WebhookRow } from '../../projections/webhooks/webhooks.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

/** How long the previous secret also signs after a rotation. */
export const ROTATION_MILLIS = 24 * 60 * 60_000;

type Write<Type extends WebhookCommand['type']> = Extract<WebhookCommand, { type: Type }>;

/** Changes of webhooks by administrators. Texts and secrets are sealed before they reach an event. */
@Injectable()
export class WebhookChanges {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** Returns the secret, or null for a repeated request. Throws `too_many_webhooks` (conflict). */
  async create(id: string, terms: WebhookTerms): Promise<string | null> {
    const all = await this.queries.execute(new AllWebhooks());
    if (all.length >= MOST_WEBHOOKS && !all.some((row) => row.id === id))
      throw refuse('conflict', 'too_many_webhooks', `There are ${MOST_WEBHOOKS} webhooks, which is the limit. Remove one first.`);
    const secret = newWebhookSecret();
    const { written } = await this.secrets.sealing(id, async (seal) => {
      const sealed = { ...terms, url: seal.text(terms.url), description: seal.text(terms.description) };
      const command: Write<'Create'> = {
        type: 'Create',
        terms: sealed,
        secret: seal.text(secret),
        secretId: id,
        now: this.clock.now(),
      };
      return this.commands.execute(new ExecuteWebhook(id, command, { companions: seal.companions }));
    });
    return written ? secret : null;
  }

  /** Changes the terms that are present and differ. Throws `webhook_not_found` and `version_stale`. */
  async change(id: string, given: Partial<WebhookTerms>, ifMatch?: string): Promise<void> {
    const row = await this.row(id);
    const before: WebhookTerms = { ...row, ...(await this.secrets.opened(row)) };
    const names = (Object.keys(given) as (keyof WebhookTerms)[]).filter(
      (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(before[name]),
    );
    await this.secrets.sealing(id, (seal) => {
      const sealed = (name: keyof WebhookTerms) => {
        const value = given[name];
        return (name === 'url' || name === 'description') && typeof value === 'string' ? seal.text(value) : value;
      };
      const terms: Partial<WebhookTerms> = Object.fromEntries(names.map((name) => [name, sealed(name)]));
      return this.commands.execute(new ExecuteWebhook(id, { type: 'Change', terms }, { ifMatch, companions: seal.companions }));
    });
  }

  /** Returns the new secret, or null for a repeated request. */
  async rotate(id: string, secretId: string): Promise<string | null> {
    await this.row(id);
    const secret = newWebhookSecret();
    const previousUntil = Instant.plus(this.clock.now(), ROTATION_MILLIS);
    const { written } = await this.secrets.sealing(id, (seal) =>
      this.commands.execute(
        new ExecuteWebhook(
          id,
          { type: 'RotateSecret', secret: seal.text(secret), secretId, previousUntil },
          { companions: seal.companions },
        ),
      ),
    );
    return written ? secret : null;
  }

  /** Removes a webhook. A second removal does nothing. */
  async remove(id: string, ifMatch?: string): Promise<void> {
    await this.commands.execute(new ExecuteWebhook(id, { type: 'Remove' }, { ifMatch }));
    await this.secrets.forget(id);
  }

  /** Adds an order for the delivery. Throws `webhook_not_found` (missing) and `webhook_busy` (unavailable). */
  async order(id: string, command: Write<'Replay'> | Write<'RetryDelivery'>): Promise<void> {
    const { ordered } = await this.row(id);
    const cursor = await this.queries.execute(new CursorOf(id));
    // Orders that the delivery has not seen must not be dropped from the kept ones.
    if (ordered - (cursor?.seen ?? 0) >= MOST_ORDERS)
      throw refuse('unavailable', 'webhook_busy', 'Too many requests for this webhook are waiting. Try again in a few seconds.', {
        retry_after: 5,
      });
    await this.commands.execute(new ExecuteWebhook(id, command));
  }

  /** The webhook. Throws `webhook_not_found` (missing). */
  async row(id: string): Promise<WebhookRow> {
    const row = await this.queries.execute(new WebhookById(id));
    if (!row) throw webhookNotFound();
    return row;
  }
}
