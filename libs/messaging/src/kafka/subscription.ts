import type { Admin, Batch, Consumer, ConsumerConfig, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { BatchLimit, Delivery, RetryPolicy, SubscribeOptions, Subscription } from '../broker.ts';
import { delayAfter, pause, reasonOf, type Report } from '../retry.ts';
import { Tries } from '../tries.ts';
import { whenReady } from './errors.ts';
import { Gaps } from './gaps.ts';
import { deliveryOf, idOf, type KafkaRecord, recordOf, redriveOf } from './record.ts';

export interface SubscriptionContext {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly consumer: Omit<ConsumerConfig, 'groupId'>;
  readonly retry: RetryPolicy;
  readonly report: Report;
  /** For lines that repeat while Kafka is down. */
  readonly reportOutage: Report;
  /** Resolves when the record is durable in the group's dead letters. */
  setAside(group: string, record: KafkaRecord, reason: string): Promise<void>;
}

/** More partitions than a consumer is ever assigned, so that all are handled concurrently. */
const PARTITIONS_AT_ONCE = 64;
const COMMIT_EVERY_MS = 500;
const HEARTBEAT_EVERY_MS = 1_000;
const ALONE: BatchLimit = { events: 1, bytes: 0 };

const bytesOf = ({ value }: KafkaMessage) => value?.length ?? 0;

/** One member of a consumer group. A delivery that waits for its next try does not block other partitions. */
export class KafkaSubscription implements Subscription {
  readonly #options: SubscribeOptions;
  readonly #context: SubscriptionContext;
  readonly #leaving = new AbortController();
  readonly #tries = new Map<string, Tries>();
  readonly #gaps: Gaps;
  #consumer: Consumer | undefined;
  #restarts = 0;
  #restarting: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: SubscribeOptions, context: SubscriptionContext) {
    this.#options = options;
    this.#context = context;
    this.#gaps = new Gaps(context.admin, options.group, [...options.topics, redriveOf(options.group)]);
  }

  async start(): Promise<void> {
    const { kafka, consumer: config } = this.#context;
    const { group, topics } = this.#options;
    const consumer = kafka.consumer({
      ...config,
      groupId: group,
      allowAutoTopicCreation: false,
      // This class restarts the consumer after every error. kafkajs itself restarts it only after some.
      retry: { ...config.retry, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.CRASH, ({ payload }) => void (this.#restarting = this.#restart(consumer, payload.error)));
    consumer.on(consumer.events.GROUP_JOIN, () => {
      this.#restarts = 0;
      this.#gaps.joined();
    });
    // A batch that contains only Kafka's own markers does not reach `eachBatch`.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize, lastOffset } }) => {
      // If the offsets of the group cannot be read, the next batch with events fails.
      if (batchSize === 0) this.#gaps.read(topic, partition, BigInt(lastOffset)).catch(() => undefined);
    });
    await consumer.connect();
    await whenReady(() => consumer.subscribe({ topics: [...topics, redriveOf(group)], fromBeginning: true }));
    await consumer.run({
      // Commits resolved offsets only. A threshold of 1 also commits the offsets of Kafka's own markers in the log.
      autoCommit: true,
      autoCommitThreshold: 1,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
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
    this.#context.reportOutage('a consumer crashed and is being restarted', { group: this.#options.group, error: reasonOf(error) });
    for (;;) {
      if (!(await pause(delayAfter(++this.#restarts, { attempts: 0, firstDelayMs: 100, maxDelayMs: 1_000 }), this.#leaving.signal))) return;
      try {
        return await this.start();
      } catch (again) {
        this.#context.reportOutage('a consumer could not be restarted', { group: this.#options.group, error: reasonOf(again) });
        await this.#consumer?.disconnect().catch(() => undefined);
      }
    }
  }

  async #eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale, pause: hold, commitOffsetsIfNecessary }: EachBatchPayload) {
    const { topic, partition, messages } = batch;
    let lost: unknown;
    let committedAt = Date.now();
    // Heartbeats continue during a long handler, so that the member stays in the group. Their errors (a rebalance) are thrown after it.
    const beats = setInterval(() => void heartbeat().catch((error: unknown) => (lost = error)), HEARTBEAT_EVERY_MS).unref();
    try {
      if (!(await this.#reportGap(batch))) {
        const resume = hold();
        void pause(this.#context.retry.maxDelayMs, this.#leaving.signal).then(resume);
        return;
      }
      for (let at = 0; at < messages.length;) {
        if (!isRunning() || isStale() || this.#leaving.signal.aborted) return;
        const { done, again } = await this.#deliver(topic, partition, messages, at);
        at += done;
        if (done > 0) {
          const { offset } = messages[at - 1] as KafkaMessage;
          resolveOffset(offset);
          await this.#gaps.read(topic, partition, BigInt(at === messages.length ? batch.lastOffset() : offset));
        }
        if (again > 0) {
          const resume = hold();
          void pause(again, this.#leaving.signal).then(resume);
          return;
        }
        if (lost) throw lost;
        await heartbeat();
        if (Date.now() - committedAt < COMMIT_EVERY_MS) continue;
        await commitOffsetsIfNecessary();
        committedAt = Date.now();
      }
    } finally {
      clearInterval(beats);
    }
  }

  /** Returns false if the batch must wait, because `onTrimmed` failed for missing events before it. */
  async #reportGap(batch: Batch): Promise<boolean> {
    const { topic, partition } = batch;
    const first = batch.firstOffset() ?? batch.lastOffset();
    const { group, onTrimmed } = this.#options;
    const trimmed = await this.#gaps.before(topic, partition, first);
    if (!trimmed) return true;
    this.#context.report('a topic was trimmed before a group had read it', { group, ...trimmed });
    try {
      await onTrimmed?.(trimmed);
    } catch (error) {
      this.#context.report('deliveries are held up', { group, topic, partition, error: reasonOf(error) });
      return false;
    }
    await this.#gaps.read(topic, partition, BigInt(first) - 1n);
    return true;
  }

  /** Delivers a batch. Returns the number of completed messages, and the milliseconds to wait before the next try. */
  async #deliver(
    topic: string,
    partition: number,
    messages: readonly KafkaMessage[],
    from: number,
  ): Promise<{ done: number; again: number }> {
    const { retry } = this.#context;
    const { group, batch: limit = ALONE, handle } = this.#options;
    const tries = this.#triesOf(`${topic}/${partition}`);
    // A redriven letter has its original partition, which may differ from its neighbour's.
    const batch = tries.batch(messages, from, topic === redriveOf(group) ? ALONE : limit, bytesOf);
    const head = batch[0] as KafkaMessage;
    const attempt = tries.begin(head.offset);
    const deliveries: Delivery[] = [];
    let failure: unknown;
    for (const message of batch) {
      try {
        deliveries.push(deliveryOf(recordOf(topic, partition, message), attempt));
      } catch (error) {
        failure = error;
        break;
      }
    }
    if (deliveries.length > 0) {
      try {
        await handle(deliveries);
        tries.passed(deliveries.length);
        return { done: deliveries.length, again: 0 };
      } catch (error) {
        const verdict = tries.rejected(deliveries.length, error);
        if (verdict !== 'set aside') return { done: 0, again: verdict.again };
        failure = error;
      }
    }
    try {
      await this.#context.setAside(group, recordOf(topic, partition, head), reasonOf(failure));
      tries.setAside();
      return { done: 1, again: 0 };
    } catch (error) {
      // The message stays at the head of its partition until it is handled or stored as a dead letter.
      const record = idOf(recordOf(topic, partition, head));
      this.#context.reportOutage('a dead letter could not be written', { group, record, error: reasonOf(error) });
      return { done: 0, again: retry.maxDelayMs };
    }
  }

  #triesOf(partition: string): Tries {
    let tries = this.#tries.get(partition);
    if (!tries) this.#tries.set(partition, (tries = new Tries(this.#context.retry)));
    return tries;
  }
}
