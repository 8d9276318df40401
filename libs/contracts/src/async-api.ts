import { z } from 'zod';
import type { PublicEvent } from './public-event.ts';

/** CloudEvents 1.0 attributes that every event carries around its data; the extension names are lower case, as the specification wants. */
const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string().describe('Recognise a repeat by this: events are delivered at least once'),
  source: z.string(),
  subject: z.string().describe('The stream that it happened to; events of one subject keep their order'),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  sequence: z.string().describe("Place in the source's log, as position.index"),
  actor: z.string().optional().describe('Who caused it'),
  actorip: z
    .string()
    .optional()
    .describe('IP address, sealed under the key of the user who acted; in the clear where the user was not known'),
  actoragent: z.string().optional().describe('User agent, sealed in the same way'),
  requestid: z.string().optional(),
  correlationid: z.string().optional(),
  causationid: z.string().optional(),
  traceparent: z.string().optional(),
});

const camel = (text: string) => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const jsonSchema = (schema: z.ZodType) => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' }) as Record<string, unknown>;
  return rest;
};

/** The AsyncAPI 3 document of all public events: one channel per service's topic, one message per event type. */
export function asyncApiDocument(events: readonly PublicEvent[], version: string) {
  const services = [...new Set(events.map((event) => event.service))];
  const saying = (event: PublicEvent) => event.type.split('.').slice(2).join('-');
  const bySaying = Map.groupBy(events, saying);
  // What several services say is named after its service too.
  const nameOf = (event: PublicEvent) =>
    camel(bySaying.get(saying(event))?.length === 1 ? saying(event) : `${event.service}-${saying(event)}`);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parlance events',
      version,
      description: 'What Parlance says in public: CloudEvents 1.0 in structured JSON, at least once, in order per subject.',
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(
      services.map((service) => [
        service,
        {
          address: `parlance.${service}`,
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
