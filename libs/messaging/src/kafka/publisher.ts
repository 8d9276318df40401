import type { Kafka, Producer, TopicMessages } from 'kafkajs';
import { Fenced, type Outgoing, type Publisher } from '../broker.ts';
import { contentType } from '../envelope.ts';
import { saysFenced } from './errors.ts';

/** Well below `max.message.bytes` of a topic, so that one large event fits on top. */
export const BYTES_AT_ONCE = 512 * 1024;

/**
 * A transactional producer whose `transactional.id` is the publisher's name, so the cluster fences the older of two. It cannot be used
 * after a failure: to continue, it would have to claim the name again, which could fence its successor. The process that holds the lease
 * opens another publisher instead.
 */
export class KafkaPublisher implements Publisher {
  readonly #name: string;
  readonly #producer: Producer;
  readonly #ensureTopics: (topics: readonly string[]) => Promise<void>;
  #failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(name: string, producer: Producer, ensureTopics: (topics: readonly string[]) => Promise<void>) {
    this.#name = name;
    this.#producer = producer;
    this.#ensureTopics = ensureTopics;
  }

  static async open(kafka: Kafka, name: string, ensureTopics: (topics: readonly string[]) => Promise<void>): Promise<KafkaPublisher> {
    const producer = kafka.producer({ transactionalId: name, idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false });
    await producer.connect();
    // Fences the older publisher at once.
    await claimName(producer);
    return new KafkaPublisher(name, producer, ensureTopics);
  }

  send(messages: readonly Outgoing[]): Promise<void> {
    const sent = this.#last.then(() => this.#send(messages));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #send(messages: readonly Outgoing[]): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (messages.length === 0) return;
    await this.#ensureTopics([...new Set(messages.map(({ topic }) => topic))]);
    try {
      await inTransaction(this.#producer, chunks(messages));
    } catch (error) {
      this.#failure = saysFenced(error) ? new Fenced(this.#name) : error;
      throw this.#failure;
    }
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#producer.disconnect();
  }
}

/** kafkajs claims the name of a producer with its first transaction. Resolves when earlier transactions of this name have ended in all their topics. */
export async function claimName(producer: Producer): Promise<void> {
  const first = await producer.transaction();
  await first.abort();
}

/** Sends all events or none. */
export async function inTransaction(producer: Producer, parts: Iterable<TopicMessages[]>): Promise<void> {
  const transaction = await producer.transaction();
  try {
    for (const topicMessages of parts) await transaction.sendBatch({ acks: -1, topicMessages });
    await transaction.commit();
  } catch (error) {
    // This also fails if the producer was fenced, but then the cluster has already ended the transaction.
    await transaction.abort().catch(() => undefined);
    throw error;
  }
}

function* chunks(messages: readonly Outgoing[]): Generator<TopicMessages[]> {
  let byTopic = new Map<string, TopicMessages['messages']>();
  let bytes = 0;
  for (const { topic, key, event } of messages) {
    const value = Buffer.from(JSON.stringify(event));
    let ofTopic = byTopic.get(topic);
    if (!ofTopic) byTopic.set(topic, (ofTopic = []));
    ofTopic.push({ key, value, headers: { 'content-type': contentType } });
    bytes += value.length;
    if (bytes < BYTES_AT_ONCE) continue;
    yield asTopicMessages(byTopic);
    byTopic = new Map();
    bytes = 0;
  }
  if (byTopic.size > 0) yield asTopicMessages(byTopic);
}

function asTopicMessages(byTopic: ReadonlyMap<string, TopicMessages['messages']>): TopicMessages[] {
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}
