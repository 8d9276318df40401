import type { CloudEvent } from '../broker.ts';

/** Attributes that may be absent, in the order in which a packed event has them. */
const optional = ['actor', 'actorip', 'actoragent', 'causationid', 'traceparent', 'actortoken'] as const;

/**
 * The event of a dead letter. Release 0.3 packed events as JSON lists without names and without values that follow from the topic and the
 * key. Letters are kept for four weeks, so a release that is two months newer than 0.3 needs only `JSON.parse`.
 */
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
