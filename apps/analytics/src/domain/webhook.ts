import { type Decider, type Instant, refuse } from '@parlance/decider';

/** The settings of a webhook. The address and the description are sealed under the key of the webhook. */
export interface WebhookTerms {
  readonly url: string;
  readonly description: string;
  /** Types of public events; empty for all. */
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
}

/** A sealed secret. A repeated request has the same `secretId`; a new request has a new one. */
interface Secret {
  readonly secret: string;
  readonly secretId: string;
}

export type WebhookCommand =
  | ({ type: 'Create'; terms: WebhookTerms; now: Instant } & Secret)
  | { type: 'Change'; terms: Partial<WebhookTerms> }
  | ({ type: 'RotateSecret'; previousUntil: Instant } & Secret)
  /** The endpoint answered 410 Gone. */
  | { type: 'DisableAsGone' }
  | { type: 'Replay'; orderId: string; from: Instant; now: Instant }
  | { type: 'RetryDelivery'; orderId: string; deliveryId: string }
  | { type: 'Remove' };

export type WebhookEvent =
  | ({ type: 'WebhookCreated'; at: Instant } & WebhookTerms & Secret)
  | ({ type: 'WebhookChanged' } & Partial<WebhookTerms>)
  | ({ type: 'WebhookSecretRotated'; previousUntil: Instant } & Secret)
  | { type: 'WebhookDisabledAsGone' }
  | { type: 'WebhookReplayRequested'; orderId: string; from: Instant }
  | { type: 'WebhookDeliveryRetryRequested'; orderId: string; deliveryId: string }
  | { type: 'WebhookRemoved' };

/** A request to deliver events again. Orders are carried out once each, in the order of their numbers. */
export type Order = { readonly number: number; readonly orderId: string } & (
  | { readonly type: 'replay'; readonly from: Instant }
  | { readonly type: 'retry'; readonly deliveryId: string }
);

/** The most orders that are kept. Callers must not add more until some have been carried out. */
export const MOST_ORDERS = 50;

export interface LivingWebhook extends WebhookTerms, Secret {
  readonly createdAt: Instant;
  readonly isGone: boolean;
  /** The secret before the last rotation. Until `until`, deliveries are signed with it too. */
  readonly previous: { readonly secret: string; readonly until: Instant } | null;
  /** The newest orders, at most `MOST_ORDERS`. */
  readonly orders: readonly Order[];
  /** The number of orders so far, which is the number of the newest one. */
  readonly ordered: number;
}

export interface Webhook {
  readonly status: 'absent' | 'living' | 'removed';
  readonly living: LivingWebhook | null;
}

export const webhookNotFound = () => refuse('missing', 'webhook_not_found', 'There is no such webhook.');

export const webhook: Decider<WebhookCommand, WebhookEvent, Webhook> = {
  initialState: { status: 'absent', living: null },
  snapshots: { every: 50, shape: 'webhook-1' },

  decide(command, { status, living }) {
    if (command.type === 'Create') {
      if (status !== 'absent') return living ? [] : webhookNotFound();
      const { terms, now, secret, secretId } = command;
      return [{ type: 'WebhookCreated', ...terms, secret, secretId, at: now }];
    }
    if (status === 'removed' && command.type === 'Remove') return [];
    if (!living) return webhookNotFound();
    switch (command.type) {
      case 'Change':
        return Object.keys(command.terms).length === 0 ? [] : [{ type: 'WebhookChanged', ...command.terms }];
      case 'RotateSecret': {
        const { secret, secretId, previousUntil } = command;
        return living.secretId === secretId ? [] : [{ type: 'WebhookSecretRotated', secret, secretId, previousUntil }];
      }
      case 'DisableAsGone':
        return living.enabled ? [{ type: 'WebhookDisabledAsGone' }] : [];
      case 'Replay': {
        const { orderId, from, now } = command;
        if (from > now) return refuse('invalid', 'replay_in_future', 'Future events cannot be replayed. Give an earlier time.');
        return isOrdered(living, orderId) ? [] : [{ type: 'WebhookReplayRequested', orderId, from }];
      }
      case 'RetryDelivery': {
        const { orderId, deliveryId } = command;
        return isOrdered(living, orderId) ? [] : [{ type: 'WebhookDeliveryRetryRequested', orderId, deliveryId }];
      }
      case 'Remove':
        return [{ type: 'WebhookRemoved' }];
    }
  },

  evolve(state, event) {
    if (event.type === 'WebhookCreated') {
      const { type: _, at, ...facts } = event;
      return { status: 'living', living: { ...facts, createdAt: at, isGone: false, previous: null, orders: [], ordered: 0 } };
    }
    const { living } = state;
    if (!living) return state;
    switch (event.type) {
      case 'WebhookChanged': {
        const { type: _, ...terms } = event;
        return { ...state, living: { ...living, ...terms, isGone: terms.enabled === undefined && living.isGone } };
      }
      case 'WebhookSecretRotated': {
        const { secret, secretId, previousUntil } = event;
        return { ...state, living: { ...living, secret, secretId, previous: { secret: living.secret, until: previousUntil } } };
      }
      case 'WebhookDisabledAsGone':
        return { ...state, living: { ...living, enabled: false, isGone: true } };
      case 'WebhookReplayRequested':
        return { ...state, living: withOrder(living, { type: 'replay', orderId: event.orderId, from: event.from }) };
      case 'WebhookDeliveryRetryRequested':
        return { ...state, living: withOrder(living, { type: 'retry', orderId: event.orderId, deliveryId: event.deliveryId }) };
      case 'WebhookRemoved':
        return { status: 'removed', living: null };
    }
  },
};

const isOrdered = ({ orders }: LivingWebhook, orderId: string) => orders.some((order) => order.orderId === orderId);

type Unnumbered = Order extends infer One ? (One extends Order ? Omit<One, 'number'> : never) : never;

function withOrder(living: LivingWebhook, order: Unnumbered): LivingWebhook {
  const ordered = living.ordered + 1;
  return { ...living, ordered, orders: [...living.orders, { ...order, number: ordered } as Order].slice(-MOST_ORDERS) };
}

export const webhookStream = (id: string) => `webhook-${id}`;
