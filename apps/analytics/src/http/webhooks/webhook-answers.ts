import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { payloadOf } from '../../adapters/webhooks/event-payload.ts';
import { type Delivery, DELIVERY_STATUSES } from '../../domain/delivery.ts';
import type { WebhookRow } from '../../projections/webhooks/webhooks.ts';
import type { OpenedWebhook } from '../../workflows/deliveries/webhook-secrets.ts';

const seconds = (what: string) => z.int().describe(`${what} In epoch seconds.`);

export const WebhookAnswer = z.object({
  id: z.string(),
  url: z.string().describe('URL to which events are sent with POST.'),
  event_types: z.array(z.string()).describe('Names of messages of `/asyncapi.json`. Empty: all events.'),
  description: z.string(),
  enabled: z.boolean().describe('While false, events wait. They are sent when it is true again.'),
  disabled_because: z.enum(['admin', 'gone']).nullable().describe('`gone`: the endpoint answered 410. Null for an enabled webhook.'),
  create_time: seconds('When it was created.'),
  previous_secret_valid_until: z
    .int()
    .nullable()
    .describe('Until then, requests have a second signature with the secret before the rotation. In epoch seconds.'),
});
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;

const secret = z.string().meta({
  'x-secret': true,
  description: 'Secret for verifying signatures. Only in this answer.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
});

export const CreatedWebhook = WebhookAnswer.extend({ secret });
export const RotatedSecret = z.object({ secret, previous_secret_valid_until: z.int().describe('In epoch seconds.') });
export const WebhookPageAnswer = z.object({ webhooks: z.array(WebhookAnswer), next_token: z.string().nullable() });

export const DeliveryAnswer = z.object({
  delivery_id: z.string().describe('ID of the event, and `webhook-id` in each request.'),
  event_type: z.string(),
  subject: z.string().describe('Subject of the event: the resource that it is about. The events of one subject are sent in sequence.'),
  event_time: seconds('When it happened.'),
  status: z.enum(DELIVERY_STATUSES).describe('`dead`: all tries have failed, or the endpoint is gone.'),
  tries: z.int(),
  next_try_time: z.int().nullable().describe('In epoch seconds. Null if there is none.'),
  last_try_time: z.int().nullable().describe('In epoch seconds. Null before the first.'),
  last_status: z.int().nullable().describe('Status of the last answer. Null without an answer.'),
  last_error: z.string().nullable().describe('Why the last try failed.'),
  last_milliseconds: z.int().nullable().describe('Duration of the last try.'),
});
export type DeliveryAnswer = z.infer<typeof DeliveryAnswer>;
export const DeliveryPageAnswer = z.object({ deliveries: z.array(DeliveryAnswer), next_token: z.string().nullable() });

export const DeliveryWithEventAnswer = DeliveryAnswer.extend({
  event: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The event as it is sent, read from its service's log. Personal data in it is sealed. Null: see `event_missing`."),
  event_missing: z
    .enum(['not_in_log', 'too_large'])
    .nullable()
    .describe('`not_in_log`: the log was restored from a backup that does not contain it. `too_large`: more than 256 KiB of JSON.'),
});
export type DeliveryWithEventAnswer = z.infer<typeof DeliveryWithEventAnswer>;

export const ReplayAnswer = z.object({ from: seconds('Events from then on are sent again.') });

nameSchemas({
  Webhook: WebhookAnswer,
  CreatedWebhook,
  RotatedWebhookSecret: RotatedSecret,
  WebhookPage: WebhookPageAnswer,
  WebhookDelivery: DeliveryAnswer,
  WebhookDeliveryPage: DeliveryPageAnswer,
  WebhookDeliveryWithEvent: DeliveryWithEventAnswer,
  WebhookReplay: ReplayAnswer,
});

export function webhookAnswer(row: WebhookRow, { url, description }: OpenedWebhook, now: Instant): WebhookAnswer {
  const { id, eventTypes, enabled, isGone, createdAt, previous } = row;
  return {
    id,
    url,
    event_types: [...eventTypes],
    description,
    enabled,
    disabled_because: enabled ? null : isGone ? 'gone' : 'admin',
    create_time: Instant.toSeconds(createdAt),
    previous_secret_valid_until: previous && previous.until > now ? Instant.toSeconds(previous.until) : null,
  };
}

const secondsOf = (at: Instant | null): number | null => (at === null ? null : Instant.toSeconds(at));

export function deliveryAnswer(delivery: Delivery): DeliveryAnswer {
  const { id, event_type, stream: subject, event_time, status, tries, next_at, last_at, last_status, last_error, last_millis } = delivery;
  return {
    delivery_id: id,
    event_type,
    subject,
    event_time: Instant.toSeconds(Instant.parse(event_time)),
    status,
    tries,
    next_try_time: secondsOf(next_at),
    last_try_time: secondsOf(last_at),
    last_status,
    last_error,
    last_milliseconds: last_millis,
  };
}

/** The most characters of JSON of an event that is shown. */
const LONGEST_SHOWN_EVENT = 256 * 1_024;

export function withEvent(delivery: Delivery, found: CloudEvent | undefined): DeliveryWithEventAnswer {
  const answer = deliveryAnswer(delivery);
  if (!found) return { ...answer, event: null, event_missing: 'not_in_log' };
  const event = payloadOf(found);
  if (JSON.stringify(event).length > LONGEST_SHOWN_EVENT) return { ...answer, event: null, event_missing: 'too_large' };
  return { ...answer, event, event_missing: null };
}
