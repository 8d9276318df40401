import { type Admin, type ConsumerConfig, Kafka, type KafkaConfig, logLevel, type Producer } from 'kafkajs';
import { Broker, checkGroup, type DeadLetter, type Lag, type Publisher, RETENTION_MS, type RetryPolicy } from '../broker.ts';
import type { SubscribeOptions, Subscription } from '../broker.ts';
import { isPassing, whenReady } from './errors.ts';
import { KafkaLetters } from './dead-letters/letters.ts';
import { KafkaNames } from './names.ts';
import { checkOffsetRetention } from './offset-retention.ts';
import { KafkaPublisher } from './publisher.ts';
import { raisePartitions } from './raise-partitions.ts';
import { removeAll, requireStopped } from './remove-all.ts';
import { clientSecurity, type KafkaClientSecurity } from './security/client-security.ts';
import { KafkaSubscription } from './subscription.ts';
import { KafkaTopics } from './topics.ts';
import { quietRequestQueues } from './quiet-queues.ts';
import { defaultRetry, type Report } from '../retry.ts';
import { SteadyReports } from '../steady-report.ts';

export interface KafkaBrokerOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Begins the names of topics, groups and transactional IDs, so that several installations can share a cluster. Default: none. */
  readonly prefix?: string;
  /** For new topics. This is also the maximum number of members that can share a group's work. */
  readonly partitions?: number;
  /** Default: the cluster's default. */
  readonly replicationFactor?: number;
  /** Copies that a write to a new topic waits for. Default: derived from the replication factor. */
  readonly minInsyncReplicas?: number | null;
  /** How long topics keep events. Existing topics are changed to this value. */
  readonly retentionMs?: number;
  readonly retry?: RetryPolicy;
  readonly report?: Report;
  /** For lines that repeat while Kafka is down. Default: `report`, once in ten seconds. */
  readonly reportOutage?: Report;
  /** Default: neither TLS nor SASL. */
  readonly security?: KafkaClientSecurity | null;
  /** Further options of the kafkajs client. */
  readonly client?: Omit<KafkaConfig, 'brokers' | 'clientId'>;
  /** Session and fetch times of the kafkajs client. */
  readonly consumer?: Omit<ConsumerConfig, 'groupId'>;
}

export { KafkaFileUnusable } from './security/client-security.ts';

/** Connects to a cluster. Rejects when none of its brokers answers, and with `KafkaFileUnusable`. */
export async function openKafkaBroker(options: KafkaBrokerOptions): Promise<Broker> {
  const report = options.report ?? (() => undefined);
  const reportOutage = options.reportOutage ?? new SteadyReports().of(report);
  quietRequestQueues();
  const kafka = new Kafka({
    logLevel: logLevel.ERROR,
    logCreator:
      () =>
      ({ namespace, log: { message, timestamp: _, logger: __, ...details } }) => {
        if (!isPassing(message) && !isPassing(details['error'])) reportOutage(`kafka: ${message}`, { namespace, ...details });
      },
    // The first wait is short, because each transaction waits for the markers of the previous one: 13 ms with 5, 290 ms with kafkajs' 300.
    retry: { initialRetryTime: 5, multiplier: 2, maxRetryTime: 500, retries: 33 },
    ...(options.security && (await clientSecurity(options.security))),
    ...options.client,
    brokers: [...options.brokers],
    clientId: options.clientId,
  });
  const [admin, producer] = [kafka.admin(), kafka.producer({ allowAutoTopicCreation: false })];
  try {
    await Promise.all([admin.connect(), producer.connect()]);
    await checkOffsetRetention(admin, report);
  } catch (error) {
    await Promise.allSettled([admin.disconnect(), producer.disconnect()]);
    throw error;
  }
  return new KafkaBroker(kafka, admin, producer, { ...options, report, reportOutage });
}

type Reporting = KafkaBrokerOptions & { readonly report: Report; readonly reportOutage: Report };

class KafkaBroker extends Broker {
  readonly #kafka: Kafka;
  readonly #admin: Admin;
  readonly #producer: Producer;
  readonly #options: Reporting;
  readonly #consumer: Omit<ConsumerConfig, 'groupId'>;
  readonly #letters: KafkaLetters;
  readonly #topics: KafkaTopics;
  readonly #names: KafkaNames;
  readonly #subscriptions = new Map<KafkaSubscription, SubscribeOptions>();

  constructor(kafka: Kafka, admin: Admin, producer: Producer, options: Reporting) {
    super();
    this.#kafka = kafka;
    this.#admin = admin;
    this.#producer = producer;
    this.#options = options;
    // A member that is waiting for data in a fetch cannot stop, retry or notice new members of its group until the fetch ends. The session
    // is short, because a member that returns under another name, for example after the broker has crashed, waits until its former session
    // has expired.
    this.#consumer = { maxWaitTimeInMs: 1_000, sessionTimeout: 6_000, heartbeatInterval: 1_500, ...options.consumer };
    const { partitions = 12, replicationFactor = -1, minInsyncReplicas = null, retentionMs = RETENTION_MS, report } = options;
    this.#topics = new KafkaTopics(admin, { partitions, replicationFactor, minInsyncReplicas, retentionMs, report });
    this.#letters = new KafkaLetters({ kafka, admin, consumer: this.#consumer });
    this.#names = new KafkaNames(options.prefix ?? '');
  }

  ensureTopics(topics: readonly string[]): Promise<void> {
    return this.#topics.ensure(topics.map((topic) => this.#names.full(topic)));
  }

  async partitions(name: string): Promise<number> {
    const topic = this.#names.full(name);
    await this.#topics.ensure([topic]);
    const { topics } = await whenReady(() => this.#admin.fetchTopicMetadata({ topics: [topic] }));
    return topics[0]!.partitions.length;
  }

  override async raisePartitions(names: readonly string[], count: number, isRebuilt: (group: string) => boolean): Promise<void> {
    const topics = names.map((name) => this.#names.full(name));
    await raisePartitions(this.#admin, topics, count, (group) => isRebuilt(this.#names.short(group)));
  }

  override requireStopped(services: readonly string[]): Promise<void> {
    return requireStopped(this.#admin, this.#names.owned(services));
  }

  override removeAll(services: readonly string[]): Promise<void> {
    return removeAll(this.#admin, this.#names.owned(services));
  }

  async publisher(name: string): Promise<Publisher> {
    const publisher = await KafkaPublisher.open(this.#kafka, this.#names.full(name), (topics) => this.#topics.ensure(topics));
    return { send: (messages) => publisher.send(messages.map((each) => this.#names.outgoing(each))), close: () => publisher.close() };
  }

  async subscribe(plain: SubscribeOptions): Promise<Subscription> {
    checkGroup(plain.group);
    const options = this.#names.subscription(plain);
    await this.#topics.ensure(options.topics);
    await this.#topics.ensureGroup(options.group);
    await whenReady(() => this.#admin.fetchOffsets({ groupId: options.group, topics: [...options.topics] }));
    const subscription = new KafkaSubscription(options, {
      kafka: this.#kafka,
      admin: this.#admin,
      consumer: this.#consumer,
      retry: this.#options.retry ?? defaultRetry,
      report: this.#options.report,
      reportOutage: this.#options.reportOutage,
      setAside: async (group, record, reason) => {
        await this.#letters.add(this.#producer, group, record, reason);
        const { topic, partition, offset } = record;
        this.#options.report('a delivery was set aside', { group, topic, partition, offset, reason });
      },
    });
    await subscription.start();
    this.#subscriptions.set(subscription, options);
    return { stop: () => subscription.stop().finally(() => this.#subscriptions.delete(subscription)) };
  }

  async deadLetters(name: string, limit: number, after?: string): Promise<readonly DeadLetter[]> {
    const letters = await this.#letters.read(await this.#groupOf(name), limit, after);
    return letters.map((letter) => ({ ...this.#names.plain(letter), group: name }));
  }

  async countDeadLetters(name: string): Promise<number> {
    return this.#letters.count(await this.#groupOf(name));
  }

  async redrive(name: string, ids?: readonly string[]): Promise<number> {
    return this.#letters.redrive(await this.#groupOf(name), ids);
  }

  async lag(name: string): Promise<readonly Lag[]> {
    const group = this.#names.full(name);
    const stored = await whenReady(() => this.#admin.fetchOffsets({ groupId: group }));
    const topics = new Set(stored.map(({ topic }) => topic));
    // A group that has never committed lags by everything in its topics.
    for (const options of this.#subscriptions.values()) if (options.group === group) for (const topic of options.topics) topics.add(topic);
    // At the same time: one after the other, the requests take longer than the limit of a health check on a busy machine.
    const lags = await Promise.all(
      Array.from(topics, async (topic) => {
        const offsets = stored.find((each) => each.topic === topic)?.partitions ?? [];
        return (await this.#admin.fetchTopicOffsets(topic)).map(({ partition, high, low }): Lag => {
          const next = BigInt(offsets.find((each) => each.partition === partition)?.offset ?? -1);
          return this.#names.plain({ topic, partition, behind: Number(BigInt(high) - (next < 0n ? BigInt(low) : next)) });
        });
      }),
    );
    return lags.flat();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions.keys()].map((each) => each.stop()));
    await Promise.all([this.#admin.disconnect(), this.#producer.disconnect()]);
  }

  async #groupOf(name: string): Promise<string> {
    const group = this.#names.full(name);
    await this.#topics.ensureGroup(group);
    return group;
  }
}
