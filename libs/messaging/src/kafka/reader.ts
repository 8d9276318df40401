import { randomUUID } from 'node:crypto';
import type { Admin, ConsumerConfig, Kafka, KafkaMessage } from 'kafkajs';
import { whenReady } from './errors.ts';

export type Visit = (topic: string, partition: number, message: KafkaMessage) => Promise<void> | void;

/** Reads topics from their beginning up to where they end now, one message at a time, and leaves no trace of having read. */
export async function readToEnd(
  kafka: Kafka,
  admin: Admin,
  config: Omit<ConsumerConfig, 'groupId'>,
  topics: readonly string[],
  visit: Visit,
) {
  const ends = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, high, low } of await whenReady(() => admin.fetchTopicOffsets(topic))) {
      if (BigInt(high) > BigInt(low)) ends.set(`${topic}/${partition}`, BigInt(high));
    }
  }
  if (ends.size === 0) return;
  const left = new Set(ends.keys());
  const done = Promise.withResolvers<void>();
  const groupId = `parlance.reader.${randomUUID()}`;
  const consumer = kafka.consumer({
    ...config,
    groupId,
    allowAutoTopicCreation: false,
    retry: { ...config.retry, restartOnFailure: async () => false },
  });
  let failed = false;
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  // The batch's end counts, not the last message: a log may end in marks of transactions.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, lastOffset } }) => {
    const place = `${topic}/${partition}`;
    if (BigInt(lastOffset) + 1n >= (ends.get(place) ?? 0n)) left.delete(place);
    if (left.size === 0) done.resolve();
  });
  try {
    await consumer.connect();
    await whenReady(() => consumer.subscribe({ topics: [...topics], fromBeginning: true }));
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, partition, message }) => {
        if (failed || BigInt(message.offset) >= (ends.get(`${topic}/${partition}`) ?? 0n)) return;
        try {
          await visit(topic, partition, message);
        } catch (error) {
          failed = true;
          done.reject(error);
        }
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined);
  }
}
