import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { MOST_ORDERS, webhook, type WebhookEvent, type WebhookTerms } from './webhook.ts';

const given = specify(webhook);
const at = (millis: number) => Instant.ofMillis(millis);
const terms: WebhookTerms = { url: 's1.u', description: 's1.d', eventTypes: [], enabled: true };
const created: WebhookEvent = { type: 'WebhookCreated', ...terms, secret: 's1.a', secretId: 'a', at: at(1) };
const removed: WebhookEvent = { type: 'WebhookRemoved' };
const create = { type: 'Create', terms, secret: 's1.a', secretId: 'a', now: at(1) } as const;
const replay = { type: 'Replay', orderId: 'o', from: at(1), now: at(2) } as const;
const after = (...events: readonly WebhookEvent[]) => events.reduce(webhook.evolve, webhook.initialState).living;

describe('creating a webhook', () => {
  it('keeps its sealed texts', () => given().when(create).emits(created));
  it('does nothing when it is repeated', () => given(created).when(create).emits());
  it('is refused for the ID of a removed webhook', () => given(created, removed).when(create).refuses('webhook_not_found'));
});

describe('changing a webhook', () => {
  it('changes only the fields it contains', () =>
    given(created)
      .when({ type: 'Change', terms: { enabled: false } })
      .emits({ type: 'WebhookChanged', enabled: false }));
  it('does nothing without a difference', () => given(created).when({ type: 'Change', terms: {} }).emits());
  it('is refused after the removal', () => given(created, removed).when({ type: 'Change', terms: {} }).refuses('webhook_not_found'));
});

describe('rotating the secret', () => {
  const rotate = { type: 'RotateSecret', secret: 's1.b', secretId: 'b', previousUntil: at(9) } as const;
  const rotated = { type: 'WebhookSecretRotated', secret: 's1.b', secretId: 'b', previousUntil: at(9) } as const;
  it('keeps the previous secret for a time', () => {
    given(created).when(rotate).emits(rotated);
    expect(after(created, rotated)).toMatchObject({ secret: 's1.b', previous: { secret: 's1.a', until: at(9) } });
  });
  it('does nothing when it is repeated', () => given(created, rotated).when(rotate).emits());
});

describe('an endpoint that is gone', () => {
  const gone: WebhookEvent = { type: 'WebhookDisabledAsGone' };
  it('disables its webhook once', () => {
    given(created).when({ type: 'DisableAsGone' }).emits(gone);
    given(created, gone).when({ type: 'DisableAsGone' }).emits();
  });
  it('can be tried again when an administrator enables it', () => {
    expect(after(created, gone)).toMatchObject({ enabled: false, isGone: true });
    expect(after(created, gone, { type: 'WebhookChanged', description: 's1.e' })).toMatchObject({ enabled: false, isGone: true });
    expect(after(created, gone, { type: 'WebhookChanged', enabled: true })).toMatchObject({ enabled: true, isGone: false });
  });
});

describe('orders', () => {
  const ordered: WebhookEvent = { type: 'WebhookReplayRequested', orderId: 'o', from: at(1) };
  it('are numbered in order', () => {
    const retried: WebhookEvent = { type: 'WebhookDeliveryRetryRequested', orderId: 'p', deliveryId: 'd' };
    given(created).when(replay).emits(ordered);
    given(created, ordered).when({ type: 'RetryDelivery', orderId: 'p', deliveryId: 'd' }).emits(retried);
    expect(after(created, ordered, retried)).toMatchObject({
      ordered: 2,
      orders: [
        { number: 1, type: 'replay', orderId: 'o', from: at(1) },
        { number: 2, type: 'retry', orderId: 'p', deliveryId: 'd' },
      ],
    });
  });
  it('are carried out once', () => given(created, ordered).when(replay).emits());
  it('cannot replay future events', () =>
    given(created)
      .when({ ...replay, from: at(3) })
      .refuses('replay_in_future'));
  it('can replay events of the present moment', () =>
    given(created)
      .when({ ...replay, from: at(2) })
      .emits({ ...ordered, from: at(2) }));
  it('are kept in a bounded number', () => {
    const many = Array.from({ length: MOST_ORDERS + 5 }, (_, n): WebhookEvent => ({ ...ordered, orderId: `o${n}` }));
    const living = after(created, ...many)!;
    expect([living.ordered, living.orders.length, living.orders[0]!.number]).toEqual([MOST_ORDERS + 5, MOST_ORDERS, 6]);
  });
});

describe('removing a webhook', () => {
  it('removes it', () => given(created).when({ type: 'Remove' }).emits(removed));
  it('does nothing when repeated', () => given(created, removed).when({ type: 'Remove' }).emits());
  it('is refused for a webhook that never existed', () => given().when({ type: 'Remove' }).refuses('webhook_not_found'));
});
