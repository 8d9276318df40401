import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { CloudEvent, DeadLetter, Delivery } from '../broker.ts';
import { decode, NotACloudEvent } from '../envelope.ts';

/** A message of a topic. A redriven message has the topic, partition and offset of the original. */
export interface KafkaRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly value: Buffer;
}

export const deadLettersOf = (group: string) => `${group}.dead-letters`;
export const redriveOf = (group: string) => `${group}.redrive`;

const header = (headers: IHeaders | undefined, name: string) => headers?.[name]?.toString() ?? '';

export function recordOf(topic: string, partition: number, { key, value, offset, headers }: KafkaMessage): KafkaRecord {
  const read = { topic, partition, offset, key: key?.toString() ?? '', value: value ?? Buffer.alloc(0) };
  if (!headers?.['parlance-topic']) return read;
  return {
    ...read,
    topic: header(headers, 'parlance-topic'),
    partition: Number(header(headers, 'parlance-partition')),
    offset: header(headers, 'parlance-offset'),
    key: header(headers, 'parlance-key'),
  };
}

/** Names a record within its group. A dead letter that fails again replaces the earlier one. */
export const idOf = ({ topic, partition, offset }: KafkaRecord) => `${topic}/${partition}/${offset}`;

/** Throws `NotACloudEvent`. */
export function deliveryOf({ value, ...record }: KafkaRecord, attempt: number): Delivery {
  return { ...record, event: decode(value.toString()), attempt };
}

function headersOf(record: KafkaRecord): Record<string, string> {
  return {
    'parlance-topic': record.topic,
    'parlance-partition': String(record.partition),
    'parlance-offset': record.offset,
    'parlance-key': record.key,
  };
}

/** Keeps the bytes unchanged, even if they cannot be parsed. */
export function deadLetterMessage(record: KafkaRecord, reason: string): Message {
  const headers = { ...headersOf(record), 'parlance-reason': reason, 'parlance-failed-at': new Date().toISOString() };
  return { key: idOf(record), value: record.value, headers };
}

export function redriveMessage(record: KafkaRecord): Message {
  return { key: record.key, value: record.value, headers: headersOf(record) };
}

export function deadLetterOf(group: string, message: KafkaMessage): DeadLetter {
  const { value, ...record } = recordOf('', 0, message);
  return {
    id: message.key?.toString() ?? '',
    place: message.offset,
    group,
    ...record,
    event: readable({ value, ...record }),
    reason: header(message.headers, 'parlance-reason'),
    failedAt: header(message.headers, 'parlance-failed-at'),
  };
}

/** Wraps a message that is not a CloudEvent in a CloudEvent that reports this. */
function readable(record: KafkaRecord): CloudEvent {
  try {
    return decode(record.value.toString());
  } catch (error) {
    if (!(error instanceof NotACloudEvent)) throw error;
    return {
      specversion: '1.0',
      id: idOf(record),
      source: `/${record.topic}`,
      type: 'parlance.broker.unreadable.v1',
      subject: record.key,
      time: new Date(0).toISOString(),
      datacontenttype: 'application/json',
      data: { base64: record.value.toString('base64') },
      sequence: record.offset,
    };
  }
}
