import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MOST_COUNTED } from '../workflows/deliveries/webhook-states.ts';

export const SERVICES = ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'] as const;

const dependency = {
  status: z.enum(['up', 'down']).describe('Whether the last check got an answer within a second.'),
  since: z
    .number()
    .describe('Since when the status has been the same, in epoch seconds; not before the start of the process that answered.'),
  latency_ms: z.number().nullable().describe('Duration of the check in milliseconds; null if it failed.'),
  bytes: z.int().nullable().describe('Size on disk in bytes; null if unknown.'),
};

export const BrokerHealth = z.object(dependency);
export const StoreHealth = z.object({
  service: z.enum(SERVICES),
  kind: z
    .enum(['database', 'object_store'])
    .describe('`object_store` has the files that the service stores. Services without files, and unreachable ones, have no such entry.'),
  ...dependency,
  status: z.enum(['up', 'down', 'unknown']).describe('`unknown` if the service is unreachable.'),
  since: dependency.since.nullable(),
});
export const ServiceHealth = z.object({
  name: z.enum(SERVICES),
  status: z
    .enum(['ok', 'degraded', 'unreachable'])
    .describe(
      '`degraded` if it cannot reach its store, the object store of its files or the broker, a read model has stopped, a stream is set aside, it has dead letters, or a replica is silent. `unreachable` if it did not answer in time. Unknown values are null.',
    ),
  version: z.string().nullable(),
  replicas: z.int().nullable().describe("Replicas that reported a heartbeat to the service's store in the last 25 seconds."),
  silent_replicas: z
    .array(z.string())
    .nullable()
    .describe(
      'The hosts of replicas whose last heartbeat is 25 seconds to 10 minutes old: they were killed, or do not respond. Null in earlier versions.',
    ),
  lag_seconds: z
    .number()
    .nullable()
    .describe("How long the service's oldest event that is unpublished, or missing in its read models, has been in its log."),
  events_behind: z.int().nullable().describe('Events of all services that this service has not handled yet.'),
  parked: z.int().nullable().describe('Streams that read models have set aside.'),
  dead_letters: z.int().nullable().describe('Events that the service could not handle.'),
  stopped: z.array(z.string()).nullable().describe('Read models that have stopped at an event.'),
  building: z.array(z.string()).nullable().describe('Read models that are being built, and refuse queries until then.'),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;
export const WebhookHealth = z.object({
  webhook_id: z.string(),
  enabled: z.boolean(),
  lag_seconds: z
    .number()
    .describe('Age of the oldest event that is neither delivered nor given up; 0 without one, and for a disabled webhook.'),
  pending: z.int().describe(`Deliveries that have not succeeded yet. ${MOST_COUNTED} stands for ${MOST_COUNTED} or more.`),
  dead_letters: z.int().describe(`Deliveries that were given up. ${MOST_COUNTED} stands for ${MOST_COUNTED} or more.`),
});
export const HealthAnswer = z.object({
  services: z.array(ServiceHealth),
  broker: BrokerHealth,
  stores: z.array(StoreHealth),
  webhooks: z.array(WebhookHealth).nullable().describe('The delivery of events to each webhook; null if unknown.'),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

export const DeadLetterItem = z.object({
  id: z.string().describe('For the redrive.'),
  event_id: z.string(),
  event_type: z.string(),
  subject: z
    .string()
    .meta({ description: 'Subject of the event: the resource that it is about.', example: 'bot-01K0000000000000000000000A' }),
  event_time: z.string().meta({ description: 'When the event happened, in RFC 3339.', example: '2026-11-21T12:00:00.000Z' }),
  topic: z.string().meta({ example: 'parlance.bots' }),
  partition: z.int(),
  failed_at: z.string().meta({ description: 'When the service gave up, in RFC 3339.', example: '2026-11-21T12:00:03.000Z' }),
});
export const DeadLettersAnswer = z.object({
  service: z.enum(SERVICES),
  total: z.int().describe("The service's dead letters."),
  dead_letters: z.array(DeadLetterItem).describe('Oldest first. A page has fewer than `limit` if their events are large.'),
  next_token: z.string().nullable(),
});
export type DeadLettersAnswer = z.infer<typeof DeadLettersAnswer>;

export const RedriveAnswer = z.object({
  service: z.enum(SERVICES),
  redriven: z.int().describe('Dead letters that are redelivered. IDs of no dead letter of the service are not counted.'),
});
export type RedriveAnswer = z.infer<typeof RedriveAnswer>;

nameSchemas({
  Health: HealthAnswer,
  ServiceHealth,
  StoreHealth,
  BrokerHealth,
  WebhookHealth,
  DeadLetter: DeadLetterItem,
  DeadLetterList: DeadLettersAnswer,
  DeadLetterRedrive: RedriveAnswer,
});
