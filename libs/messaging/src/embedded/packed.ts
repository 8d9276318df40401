import type { CloudEvent } from '../broker.ts';

/** Attributes that may be absent, in the order in which a packed event has them. */
const optional = ['actor', 'actorip', 'actoragent', 'causationid', 'traceparent', 'actortoken'] as const;
const required = ['specversion', 'datacontenttype', 'id', 'type', 'source', 'subject', 'time', 'sequence', 'data'];
const known = new Set<string>([...required, 'requestid', 'correlationid', ...optional]);

/** The number of values that every packed event has: those up to its data. */
const ALWAYS_PRESENT = 7;

/**
 * An event as the file keeps it: a JSON list without names, and without values that follow from the topic and the key. It is half as
 * long as the envelope. An event with an unknown attribute is kept as an object.
 */
export function pack(event: CloudEvent, topic: string, key: string): string {
  if (event.specversion !== '1.0' || event.datacontenttype !== 'application/json' || event.data === undefined) return JSON.stringify(event);
  for (const name in event) if (!known.has(name)) return JSON.stringify(event);
  const { id, type, source, subject, time, sequence, data, requestid, correlationid } = event;
  const millis = Date.parse(time);
  const values = [
    id,
    sequence,
    type.startsWith(`${topic}.`) ? type.slice(topic.length) : type,
    source === sourceOf(topic) ? 0 : source,
    subject === key ? 0 : subject,
    isoOf(millis) === time ? millis : time,
    data,
    requestid ?? 0,
    correlationid === requestid ? 1 : (correlationid ?? 0),
    ...optional.map((name) => event[name] ?? 0),
  ];
  while (values.length > ALWAYS_PRESENT && values.at(-1) === 0) values.pop();
  return JSON.stringify(values);
}

export function unpack(text: string, topic: string, key: string): CloudEvent {
  if (text.startsWith('{')) return JSON.parse(text);
  const [id, sequence, type, source, subject, time, data, requestid = 0, correlationid = 0, ...rest] = JSON.parse(text) as (
    | string
    | number
  )[];
  const event: Record<string, unknown> = {
    specversion: '1.0',
    id,
    source: source === 0 ? sourceOf(topic) : source,
    type: String(type).startsWith('.') ? `${topic}${type}` : type,
    subject: subject === 0 ? key : subject,
    time: typeof time === 'number' ? isoOf(time) : time,
    datacontenttype: 'application/json',
    sequence,
  };
  const correlation = correlationid === 1 ? requestid : correlationid;
  if (requestid !== 0) event['requestid'] = requestid;
  if (correlation !== 0) event['correlationid'] = correlation;
  for (const [at, value] of rest.entries()) if (value !== 0) event[optional[at] as string] = value;
  event['data'] = data;
  return event as unknown as CloudEvent;
}

/** `/bots` for `parlance.bots`. */
const sourceOf = (topic: string) => `/${topic.slice(topic.lastIndexOf('.') + 1)}`;

const isoOf = (millis: number) => (Number.isSafeInteger(millis) ? new Date(millis).toISOString() : '');
