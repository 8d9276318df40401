import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { Admin, ConsumerConfig, Kafka, KafkaMessage } from 'kafkajs';
import { whenReady } from '../errors.ts';

/** Returns false to end the reading. */
export type Visit = (message: KafkaMessage) => Promise<boolean | void> | boolean | void;

export interface Reading {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly consumer: Omit<ConsumerConfig, 'groupId'>;
  /** Nothing is committed. If several reads use the same name, only one of them gets the messages of a partition at a time. */
  readonly groupId: string;
}

/**
 * Reads a topic of one partition from an offset to its current end, one message at a time. It may start over if another read of the same group begins
 * or ends in the meantime.
 */
export async function readToEnd({ kafka, admin, consumer: config, groupId }: Reading, topic: string, from: number, visit: Visit) {
  const [{ high, low } = { high: '0', low: '0' }] = await whenReady(() => admin.fetchTopicOffsets(topic));
  const end = Number(high);
  if (end <= Math.max(Number(low), from)) return;
  const done = Promise.withResolvers<void>();
  const consumer = kafka.consumer({
    ...config,
    groupId,
    allowAutoTopicCreation: false,
    retry: { ...config.retry, restartOnFailure: async () => false },
  });
  let ended = false;
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  // Before the first fetch, and again after each change of the group.
  consumer.on(consumer.events.GROUP_JOIN, () => consumer.seek({ topic, partition: 0, offset: String(from) }));
  // The end of the batch counts, not the last message, because a log may end with transaction markers.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { lastOffset } }) => {
    if (Number(lastOffset) + 1 >= end) done.resolve();
  });
  try {
    await consumer.connect();
    await whenReady(() => consumer.subscribe({ topics: [topic], fromBeginning: true }));
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        if (ended || Number(message.offset) >= end) return;
        try {
          ended = (await visit(message)) === false;
          if (ended) done.resolve();
        } catch (error) {
          ended = true;
          done.reject(error);
        }
        if (isTurnOver()) await nextTurn();
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
}
