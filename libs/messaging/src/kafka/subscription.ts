import type { Consumer, ConsumerConfig, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { NotNow, type RetryPolicy, type SubscribeOptions, type Subscription } from '../broker.ts';
import { NotACloudEvent } from '../envelope.ts';
import { whenReady } from './errors.ts';
import { deliveryOf, idOf, type KafkaRecord, recordOf, redriveOf } from './record.ts';
import { delayAfter, pause, reasonOf, type Report } from '../retry.ts';

export interface SubscriptionContext {
  readonly kafka: Kafka;
  readonly consumer: Omit<ConsumerConfig, 'groupId'>;
  readonly retry: RetryPolicy;
  readonly report: Report;
  /** Resolves when the record is safely in the group's dead letters. */
  setAside(group: string, record: KafkaRecord, reason: string): Promise<void>;
}

/** More than a consumer is ever assigned: partitions never wait for one another's turn. */
const partitionsAtOnce = 64;
const commitEveryMs = 500;
const heartbeatEveryMs = 1_000;

/** One member of a consumer group. A delivery that waits for its next try is no hindrance to other partitions. */
export class KafkaSubscription implements Subscription {
  readonly #options: SubscribeOptions;
  readonly #context: SubscriptionContext;
  readonly #leaving = new AbortController();
  readonly #tried = new Map<string, { times: number; postponed: number }>();
  #consumer: Consumer | undefined;
  #restarts = 0;
  #restarting: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: SubscribeOptions, context: SubscriptionContext) {
    this.#options = options;
    this.#context = context;
  }

  async start(): Promise<void> {
    const { kafka, consumer: config } = this.#context;
    const { group, topics } = this.#options;
    const consumer = kafka.consumer({
      ...config,
      groupId: group,
      allowAutoTopicCreation: false,
      // One place restarts, and it is this class: kafkajs only does so for some of its errors.
      retry: { ...config.retry, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.CRASH, ({ payload }) => void (this.#restarting = this.#restart(consumer, payload.error)));
    consumer.on(consumer.events.GROUP_JOIN, () => void (this.#restarts = 0));
    await consumer.connect();
    await whenReady(() => consumer.subscribe({ topics: [...topics, redriveOf(group)], fromBeginning: true }));
    await consumer.run({
      // Commits what was resolved, never what was only fetched; a threshold of 1 also takes it past Kafka's own marks in the log.
      autoCommit: true,
      autoCommitThreshold: 1,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#leave());
  }

  async #leave(): Promise<void> {
    this.#leaving.abort();
    await this.#restarting;
    await this.#consumer?.disconnect();
  }

  async #restart(crashed: Consumer, error: Error): Promise<void> {
    if (this.#leaving.signal.aborted || crashed !== this.#consumer) return;
    this.#context.report('a consumer crashed and is started again', { group: this.#options.group, error: reasonOf(error) });
    for (;;) {
      if (!(await pause(delayAfter(++this.#restarts, { attempts: 0, firstDelayMs: 100, maxDelayMs: 1_000 }), this.#leaving.signal))) return;
      try {
        return await this.start();
      } catch (again) {
        this.#context.report('a consumer could not be started again', { group: this.#options.group, error: reasonOf(again) });
        await this.#consumer?.disconnect().catch(() => undefined);
      }
    }
  }

  async #eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale, pause: hold, commitOffsetsIfNecessary }: EachBatchPayload) {
    let lost: unknown;
    let committedAt = Date.now();
    // A long handler must not cost the group its member. What a beat meets (a rebalance) is heeded once the handler is through.
    const beats = setInterval(() => void heartbeat().catch((error: unknown) => (lost = error)), heartbeatEveryMs).unref();
    try {
      for (const message of batch.messages) {
        if (!isRunning() || isStale() || this.#leaving.signal.aborted) return;
        const again = await this.#handle(batch.topic, batch.partition, message);
        if (again !== undefined) {
          const resume = hold();
          void pause(again, this.#leaving.signal).then(resume);
          return;
        }
        resolveOffset(message.offset);
        if (lost) throw lost;
        await heartbeat();
        if (Date.now() - committedAt < commitEveryMs) continue;
        await commitOffsetsIfNecessary();
        committedAt = Date.now();
      }
    } finally {
      clearInterval(beats);
    }
  }

  /** Answers how many milliseconds to wait before the next try, or nothing when this message is done with. */
  async #handle(topic: string, partition: number, message: KafkaMessage): Promise<number | undefined> {
    const { retry } = this.#context;
    const record = recordOf(topic, partition, message);
    const place = `${topic}/${partition}/${message.offset}`;
    const tried = this.#tried.get(place) ?? { times: 0, postponed: 0 };
    const attempt = ++tried.times;
    let reason: string;
    try {
      await this.#options.handle(deliveryOf(record, attempt));
      this.#tried.delete(place);
      return undefined;
    } catch (error) {
      reason = reasonOf(error);
      if (error instanceof NotNow) tried.postponed++;
      this.#tried.set(place, tried);
      const isLast = attempt - tried.postponed >= retry.attempts && !(error instanceof NotNow);
      if (!isLast && !(error instanceof NotACloudEvent)) return delayAfter(attempt, retry);
    }
    try {
      await this.#context.setAside(this.#options.group, record, reason);
    } catch (error) {
      // It stays at the head of its partition until it is in one place or the other.
      this.#context.report('a dead letter could not be written', {
        group: this.#options.group,
        record: idOf(record),
        error: reasonOf(error),
      });
      return retry.maxDelayMs;
    }
    this.#tried.delete(place);
    return undefined;
  }
}
