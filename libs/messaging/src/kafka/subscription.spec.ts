import { expect, it } from '@jest/globals';
import type { Consumer, Kafka } from 'kafkajs';
import { defaultRetry } from '../retry.ts';
import { KafkaSubscription, type SubscriptionContext } from './subscription.ts';

it('a batch of only markers ends no process while the offsets of the group cannot be read', async () => {
  const listeners = new Map<string, (event: unknown) => void>();
  const consumer = {
    events: { CRASH: 'crash', GROUP_JOIN: 'join', END_BATCH_PROCESS: 'end' },
    on: (name: string, listener: (event: unknown) => void) => void listeners.set(name, listener),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async () => undefined,
    disconnect: async () => undefined,
  } as unknown as Consumer;
  const context = {
    kafka: { consumer: () => consumer } as unknown as Kafka,
    admin: { fetchOffsets: () => Promise.reject(new Error('Kafka is away')) },
    consumer: {},
    retry: defaultRetry,
    report: () => undefined,
    reportOutage: () => undefined,
    setAside: async () => undefined,
  } as unknown as SubscriptionContext;
  const subscription = new KafkaSubscription({ group: 'group', topics: ['topic'], handle: async () => undefined }, context);
  await subscription.start();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    listeners.get('join')!({});
    listeners.get('end')!({ payload: { topic: 'topic', partition: 0, batchSize: 0, lastOffset: '3' } });
    // Node says so after the microtasks of the turn.
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
    await subscription.stop();
  }
});
