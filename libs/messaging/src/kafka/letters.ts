import type { Admin, ConsumerConfig, Kafka, KafkaMessage, Producer } from 'kafkajs';
import type { DeadLetter } from '../broker.ts';
import { inTransaction } from './publisher.ts';
import { readToEnd } from './reader.ts';
import { deadLetterMessage, deadLetterOf, deadLettersOf, idOf, type KafkaRecord, recordOf, redriveMessage, redriveOf } from './record.ts';

/** A group's dead letters: a compacted topic, keyed by where the record was first, in which an empty value ends a letter. */
export class KafkaLetters {
  readonly #kafka: Kafka;
  readonly #admin: Admin;
  readonly #consumer: Omit<ConsumerConfig, 'groupId'>;

  constructor(kafka: Kafka, admin: Admin, consumer: Omit<ConsumerConfig, 'groupId'>) {
    this.#kafka = kafka;
    this.#admin = admin;
    this.#consumer = consumer;
  }

  async add(producer: Producer, group: string, record: KafkaRecord, reason: string): Promise<void> {
    await producer.send({ topic: deadLettersOf(group), acks: -1, messages: [deadLetterMessage(record, reason)] });
  }

  /** Those that are not redriven yet, oldest first. */
  async read(group: string): Promise<readonly { letter: DeadLetter; record: KafkaRecord }[]> {
    const open = new Map<string, KafkaMessage>();
    await readToEnd(this.#kafka, this.#admin, this.#consumer, [deadLettersOf(group)], (_, __, message) => {
      const id = message.key?.toString() ?? '';
      open.delete(id);
      if (message.value !== null) open.set(id, message);
    });
    return [...open.values()].map((message) => ({ letter: deadLetterOf(group, message), record: recordOf('', 0, message) }));
  }

  async redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    const chosen = (await this.read(group)).filter(({ letter }) => ids === undefined || ids.includes(letter.id));
    if (chosen.length === 0) return 0;
    const records = chosen.map(({ record }) => record);
    const producer = this.#kafka.producer({
      transactionalId: redriveOf(group),
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    try {
      // In one transaction: a letter is either open or on its way, never both.
      await inTransaction(producer, [
        [
          { topic: redriveOf(group), messages: records.map(redriveMessage) },
          { topic: deadLettersOf(group), messages: records.map((record) => ({ key: idOf(record), value: null })) },
        ],
      ]);
    } finally {
      await producer.disconnect();
    }
    return chosen.length;
  }
}
