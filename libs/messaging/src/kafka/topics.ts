import type { Admin, ITopicConfig } from 'kafkajs';
import { reasonOf, type Report } from '../retry.ts';
import { isOfType, whenReady } from './errors.ts';
import { deadLettersOf, redriveOf } from './record.ts';

export interface TopicOptions {
  /** Partitions of new topics. */
  readonly partitions: number;
  /** -1: the default of the cluster. */
  readonly replicationFactor: number;
  /** Null: 2 with a replication factor of 3 or more, otherwise 1; with the replication factor of the cluster, also its setting. */
  readonly minInsyncReplicas: number | null;
  readonly retentionMs: number;
  readonly report: Report;
}

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Kafka's own default. */
const MAX_SEGMENT_MS = 7 * 24 * 60 * 60_000;
/** Kafka's number for a topic as a resource. kafkajs' own enumeration can't be imported by name into an ES module. */
const TOPIC = 2;
/** Kafka's number for a setting of the topic itself, rather than a default. */
const OWN_SETTING = 1;

/** Makes topics, and sets their retention. */
export class KafkaTopics {
  readonly #admin: Admin;
  readonly #options: TopicOptions;
  readonly #there = new Set<string>();

  constructor(admin: Admin, options: TopicOptions) {
    this.#admin = admin;
    this.#options = options;
  }

  async ensure(topics: readonly string[]): Promise<void> {
    const unknown = topics.filter((topic) => !this.#there.has(topic));
    if (unknown.length === 0) return;
    await this.#makeTrimmed(unknown, this.#options.partitions);
    for (const topic of unknown) this.#there.add(topic);
  }

  /** The group's own two topics. Dead letters are compacted: a redriven one is eventually removed from the log. */
  async ensureGroup(group: string): Promise<void> {
    const [redrive, letters] = [redriveOf(group), deadLettersOf(group)];
    if (this.#there.has(letters)) return;
    await this.#makeTrimmed([redrive], 1);
    await this.#make([letters], 1, { 'cleanup.policy': 'compact' });
    this.#there.add(letters);
  }

  /**
   * Names of effects are forgotten after twice the retention, so no record may be older. Kafka removes whole segments, once the newest record of
   * a segment is older than the retention. A segment spans at most half of it.
   */
  async #makeTrimmed(topics: readonly string[], partitions: number): Promise<void> {
    const { retentionMs, report } = this.#options;
    const segment = Math.min(retentionMs / 2, MAX_SEGMENT_MS);
    const kept = { 'retention.ms': String(retentionMs), 'segment.ms': String(Math.floor(segment)) };
    await this.#make(topics, partitions, { 'cleanup.policy': 'delete', ...kept, 'retention.bytes': '-1' });
    // Another broker than the one that was asked before may not know a new topic yet.
    await whenReady(() => this.#change(topics, kept)).catch((error: unknown) =>
      report('the retention of topics could not be set', { topics, error: reasonOf(error) }),
    );
  }

  async #make(topics: readonly string[], numPartitions: number, settings: Record<string, string>): Promise<void> {
    const there = new Set(await this.#admin.listTopics());
    const { replicationFactor } = this.#options;
    const configEntries = entriesOf({ ...settings, ...this.#leastCopies(), 'max.message.bytes': String(MAX_MESSAGE_BYTES) });
    const missing: ITopicConfig[] = topics
      .filter((topic) => !there.has(topic))
      .map((topic) => ({ topic, numPartitions, replicationFactor, configEntries }));
    if (missing.length === 0) return;
    await this.#admin.createTopics({ waitForLeaders: false, topics: missing }).catch((error: unknown) => {
      if (!alreadyThere(error)) throw error;
    });
    // kafkajs' own wait fails if a broker does not know a new topic yet, and does not wait for a topic that another client has just created.
    await whenReady(() => this.#admin.fetchTopicMetadata({ topics: missing.map(({ topic }) => topic) }));
  }

  /** Stated for each topic, because the default of a cluster is 1: a write would be acknowledged that only one broker has. */
  #leastCopies(): Record<string, string> {
    const { replicationFactor, minInsyncReplicas: least } = this.#options;
    if (least === null && replicationFactor < 1) return {};
    return { 'min.insync.replicas': String(least ?? (replicationFactor >= 3 ? 2 : 1)) };
  }

  /** Topics of earlier releases keep more. kafkajs replaces all settings of a topic at once, so the topic's other settings are sent too. */
  async #change(topics: readonly string[], wanted: Readonly<Record<string, string>>): Promise<void> {
    const ofTopics = topics.map((name) => ({ type: TOPIC, name }));
    const { resources } = await this.#admin.describeConfigs({ includeSynonyms: false, resources: ofTopics });
    const changed = resources.flatMap(({ resourceName: name, configEntries }) => {
      const own = configEntries.filter(({ configSource }) => (configSource as number) === OWN_SETTING);
      const settings = Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue]));
      if (Object.entries(wanted).every(([setting, value]) => settings[setting] === value)) return [];
      return [{ type: TOPIC, name, configEntries: entriesOf({ ...settings, ...wanted }) }];
    });
    if (changed.length > 0) await this.#admin.alterConfigs({ validateOnly: false, resources: changed });
  }
}

const entriesOf = (settings: Record<string, string>) => Object.entries(settings).map(([name, value]) => ({ name, value }));

function alreadyThere(error: unknown): boolean {
  const errors = (error as { errors?: readonly unknown[] }).errors ?? [error];
  return errors.every((each) => isOfType(each, 'TOPIC_ALREADY_EXISTS'));
}
