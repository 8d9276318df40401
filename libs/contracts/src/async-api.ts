import { z } from 'zod';
import type { PublicEvent } from './public-event.ts';

/** The CloudEvents 1.0 attributes of every event. CloudEvents requires lower-case names for extension attributes. */
const envelope = z.object({
  specversion: z.literal('1.0').describe('Version of CloudEvents.'),
  id: z.string().describe('ID of the event. A repeated delivery has the same ID.'),
  source: z.string().describe('Service that published the event, such as /bots.'),
  subject: z.string().describe('Stream of the event, which is also the key of the message. Events of one subject are delivered in order.'),
  time: z.iso.datetime().describe('Time of the event.'),
  datacontenttype: z.literal('application/json').describe('Format of `data`.'),
  sequence: z.string().describe("Position in the source's log, as position.index. Compare both as numbers. There are gaps."),
  actor: z
    .string()
    .optional()
    .describe('ID of the user who caused the event, or scim:<token id> for a SCIM client. Absent if there was no caller.'),
  actortoken: z.string().optional().describe('ID of the personal access token with which the user made the request. Absent for a session.'),
  actorip: z
    .string()
    .optional()
    .describe("IP address of the caller, sealed with the acting user's key. Not sealed if the user is unknown."),
  actoragent: z.string().optional().describe('User agent of the caller, sealed in the same way.'),
  requestid: z.string().optional().describe('ID of the request that caused the event.'),
  correlationid: z.string().optional().describe('ID shared by all events that follow from one request.'),
  causationid: z.string().optional().describe('ID of the event that caused this event.'),
  traceparent: z.string().optional().describe('W3C trace context.'),
});

const camel = (text: string) => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const jsonSchema = (schema: z.ZodType) => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' }) as Record<string, unknown>;
  return rest;
};

/** The AsyncAPI 3 document of all public events: one channel per service's topic, one message per event type. `prefix`: of all topics. */
export function asyncApiDocument(events: readonly PublicEvent[], version: string, prefix = '') {
  const services = [...new Set(events.map((event) => event.service))];
  const shortName = (event: PublicEvent) => event.type.split('.').slice(2).join('-');
  const byShortName = Map.groupBy(events, shortName);
  // An event that several services publish has the service in its name.
  const nameOf = (event: PublicEvent) =>
    camel(byShortName.get(shortName(event))?.length === 1 ? shortName(event) : `${event.service}-${shortName(event)}`);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parlance events',
      version,
      description: 'Public events of Parlance: CloudEvents 1.0 in structured JSON, delivered at least once, in order per subject.',
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(
      services.map((service) => [
        service,
        {
          address: `${prefix}parlance.${service}`,
          messages: Object.fromEntries(
            events
              .filter((event) => event.service === service)
              .map((event) => [nameOf(event), { $ref: `#/components/messages/${nameOf(event)}` }]),
          ),
        },
      ]),
    ),
    operations: Object.fromEntries(
      services.map((service) => [
        `say${service[0]?.toUpperCase()}${service.slice(1)}`,
        { action: 'send', channel: { $ref: `#/channels/${service}` } },
      ]),
    ),
    components: {
      schemas: { envelope: jsonSchema(envelope) },
      messages: Object.fromEntries(
        events.map((event) => [
          nameOf(event),
          {
            name: event.type,
            summary: event.description,
            contentType: 'application/cloudevents+json',
            payload: {
              allOf: [
                { $ref: '#/components/schemas/envelope' },
                { type: 'object', required: ['type', 'data'], properties: { type: { const: event.type }, data: jsonSchema(event.schema) } },
              ],
            },
          },
        ]),
      ),
    },
  };
}
