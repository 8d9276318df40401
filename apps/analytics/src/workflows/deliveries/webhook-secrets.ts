import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { type Sealed, type Seal, Vault } from '@parlance/privacy';
import type { LivingWebhook } from '../../domain/webhook.ts';
import type { WebhookRow } from '../../projections/webhooks/webhooks.ts';

const subjectOf = (webhookId: string) => ({ id: `webhook:${webhookId}` });

export interface OpenedWebhook {
  readonly url: string;
  readonly description: string;
}

/** Secrets, addresses and descriptions of webhooks, sealed under a key for each webhook. The key is destroyed with the webhook. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly vault: Vault) {}

  sealing<Result>(webhookId: string, work: (seal: Seal) => Promise<Result>): Promise<Result> {
    return this.vault.sealing(subjectOf(webhookId), work);
  }

  /** The texts that an administrator wrote; empty if the webhook was removed meanwhile. */
  async opened({ url, description }: Pick<LivingWebhook, 'url' | 'description'>): Promise<OpenedWebhook> {
    const [openUrl, openDescription] = await Promise.all([this.open(url), this.open(description)]);
    return { url: openUrl ?? '', description: openDescription ?? '' };
  }

  /** The address, and the secrets that currently sign. Null if the webhook was removed meanwhile. */
  async endpointOf({ url, secret, previous }: WebhookRow, now: Instant): Promise<{ url: string; secrets: string[] } | null> {
    const sealed = [url, secret, ...(previous && previous.until > now ? [previous.secret] : [])];
    const [address, ...secrets] = await Promise.all(sealed.map((text) => this.open(text)));
    if (address === null || address === undefined || secrets.some((one) => one === null)) return null;
    return { url: address, secrets: secrets as string[] };
  }

  async forget(webhookId: string): Promise<void> {
    await this.vault.shred(subjectOf(webhookId).id);
  }

  private open(text: string): Promise<string | null> {
    return this.vault.openOften(text as Sealed);
  }
}
