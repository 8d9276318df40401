import type { CloudEvent } from './broker.ts';

/** Thrown by `decode` for bytes that are not a CloudEvent in structured JSON. A retry cannot succeed. */
export class NotACloudEvent extends Error {
  constructor(why: string) {
    super(`not a CloudEvent: ${why}`);
    this.name = 'NotACloudEvent';
  }
}

export const contentType = 'application/cloudevents+json';

const required = ['id', 'source', 'type', 'subject', 'time'] as const;

export function decode(text: string): CloudEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NotACloudEvent('no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new NotACloudEvent('not an object');
  const event = value as Record<string, unknown>;
  if (event['specversion'] !== '1.0') throw new NotACloudEvent('specversion is not 1.0');
  for (const name of required) if (typeof event[name] !== 'string') throw new NotACloudEvent(`${name} is missing`);
  return value as CloudEvent;
}
