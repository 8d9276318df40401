import type { Admin, ConsumerConfig, Kafka, KafkaMessage } from 'kafkajs';
import { whenReady } from './errors.ts';

/** Returns false to end the reading. */
export type Visit = (topic: string, partition: number, message: KafkaMessage) => Promise<boolean | void> | boolean | void;

export interface Reading {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly consumer: Omit<ConsumerConfig, 'groupId'>;
  /** Nothing is committed. If several reads use the same name, only one of them gets the messages of a partition at a time. */
  readonly groupId: string;
}

/**
 * Reads topics from their beginning to their current end, one message at a time. It may start over if another read of the same group begins
 * or ends in the meantime.
 */
export async function readToEnd({ kafka, admin, consumer: config, groupId }: Reading, topics: readonly string[], visit: Visit) {
  const ends = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, high, low } of await whenReady(() => admin.fetchTopicOffsets(topic))) {
      if (BigInt(high) > BigInt(low)) ends.set(`${topic}/${partition}`, BigInt(high));
    }
  }
  if (ends.size === 0) return;
  const left = new Set(ends.keys());
  const done = Promise.withResolvers<void>();
  const consumer = kafka.consumer({
    ...config,
    groupId,
    allowAutoTopicCreation: false,
    retry: { ...config.retry, restartOnFailure: async () => false },
  });
  let ended = false;
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  // The end of the batch counts, not the last message, because a log may end with transaction markers.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, lastOffset } }) => {
    const name = `${topic}/${partition}`;
    if (BigInt(lastOffset) + 1n >= (ends.get(name) ?? 0n)) left.delete(name);
    if (left.size === 0) done.resolve();
  });
  try {
    await consumer.connect();
    await whenReady(() => consumer.subscribe({ topics: [...topics], fromBeginning: true }));
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, partition, message }) => {
        if (ended || BigInt(message.offset) >= (ends.get(`${topic}/${partition}`) ?? 0n)) return;
        try {
          ended = (await visit(topic, partition, message)) === false;
          if (ended) done.resolve();
        } catch (error) {
          ended = true;
          done.reject(error);
        }
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
}
