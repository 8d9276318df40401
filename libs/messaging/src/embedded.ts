import { setImmediate } from 'node:timers/promises';
import type { SqliteFile } from '@parlance/sqlite';
import { Broker, type DeadLetter, type Delivery, type Lag, type Outgoing, type Publisher, type RetryPolicy } from './broker.ts';
import type { SubscribeOptions, Subscription } from './broker.ts';
import { EmbeddedGroup } from './embedded/group.ts';
import { EmbeddedLog } from './embedded/log.ts';
import { defaultRetry, type Report } from './retry.ts';

export interface EmbeddedBrokerOptions {
  /** Of topics that are made from now on; a topic that is there keeps the number it has. */
  readonly partitions?: number;
  readonly retry?: RetryPolicy;
  readonly report?: Report;
}

const readAtOnce = 500;

/** A durable log in one file for the services of one process. Events are kept for ever; `close` leaves the file open. */
export async function openEmbeddedBroker(file: SqliteFile, options: EmbeddedBrokerOptions = {}): Promise<Broker> {
  const log = await EmbeddedLog.open(file, options.partitions ?? 4);
  return new EmbeddedBroker(log, options.retry ?? defaultRetry, options.report ?? (() => undefined));
}

class EmbeddedBroker extends Broker {
  readonly #log: EmbeddedLog;
  readonly #retry: RetryPolicy;
  readonly #report: Report;
  readonly #groups = new Map<string, EmbeddedGroup>();

  constructor(log: EmbeddedLog, retry: RetryPolicy, report: Report) {
    super();
    this.#log = log;
    this.#retry = retry;
    this.#report = report;
  }

  async ensureTopics(topics: readonly string[]): Promise<void> {
    await Promise.all(topics.map((topic) => this.#log.partitionsOf(topic)));
  }

  async publisher(name: string): Promise<Publisher> {
    const epoch = await this.#log.openPublisher(name);
    return {
      send: async (messages: readonly Outgoing[]) => {
        for (const partition of await this.#log.append(name, epoch, messages)) {
          for (const group of this.#groups.values()) group.wake(partition);
        }
      },
      close: async () => undefined,
    };
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const partitions = await this.#partitions(options.topics);
    return this.#group(options.group).join(partitions, options);
  }

  async replay(topics: readonly string[], handle: (delivery: Delivery) => Promise<void>): Promise<void> {
    const partitions = await this.#partitions(topics);
    const ends = new Map(partitions.map(({ id }) => [id, this.#log.end(id)]));
    for (const { id, topic, number: partition } of partitions) {
      const end = ends.get(id) ?? 0;
      for (let from = 0; from < end;) {
        for (const { offset, key, event } of this.#log.read(id, from, Math.min(readAtOnce, end - from))) {
          await handle({ topic, partition, offset: String(offset), key, event: JSON.parse(event), attempt: 1 });
          from = offset + 1;
        }
        await setImmediate();
      }
    }
  }

  async deadLetters(group: string, limit: number): Promise<readonly DeadLetter[]> {
    return this.#log.deadLetters(group, limit);
  }

  async redrive(group: string, ids?: readonly string[]): Promise<number> {
    const count = await this.#log.redrive(group, ids);
    if (count > 0) this.#groups.get(group)?.wakeForRedriven();
    return count;
  }

  async lag(group: string): Promise<readonly Lag[]> {
    return this.#group(group).lag();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  async #partitions(topics: readonly string[]) {
    return (await Promise.all(topics.map((topic) => this.#log.partitionsOf(topic)))).flat();
  }

  #group(name: string): EmbeddedGroup {
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, (group = new EmbeddedGroup(name, this.#log, this.#retry, this.#report)));
    return group;
  }
}
