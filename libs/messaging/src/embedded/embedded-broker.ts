import type { SqliteFile } from '@parlance/sqlite';
import { Broker, checkGroup, type DeadLetter, type Lag, type Outgoing, type Publisher, RETENTION_MS, type RetryPolicy } from '../broker.ts';
import type { SubscribeOptions, Subscription } from '../broker.ts';
import { EmbeddedGroup } from './group.ts';
import { GroupOffsets } from './group-offsets.ts';
import { EmbeddedLetters } from './letters.ts';
import { EmbeddedLog } from './log.ts';
import { type TrimClock, Trimmer } from './trim.ts';
import { defaultRetry, reasonOf, type Report } from '../retry.ts';

export interface EmbeddedBrokerOptions {
  /** Partitions of new topics. An existing topic keeps its number. */
  readonly partitions?: number;
  readonly retry?: RetryPolicy;
  readonly report?: Report;
  /** How long an event is kept at most. Events that all groups have read go earlier, but not within `floorMs`. */
  readonly retentionMs?: number;
  readonly floorMs?: number;
  readonly trimEveryMs?: number;
  /** For tests. */
  readonly clock?: TrimClock;
}

const AN_HOUR = 60 * 60_000;
const systemClock: TrimClock = { now: Date.now, steady: () => performance.now() };

/** A durable log in one file for the services of one process. `close` leaves the file open. */
export async function openEmbeddedBroker(file: SqliteFile, options: EmbeddedBrokerOptions = {}): Promise<Broker> {
  return new EmbeddedBroker(await EmbeddedLog.open(file, options.partitions ?? 4, (options.clock ?? systemClock).now), options);
}

/**
 * Moves groups past all events in the topics. Use it on a file that no broker has open, after the log that the events were sent from has
 * lost some of them.
 */
export async function skipToEnd(file: SqliteFile, isMeant: (group: string) => boolean): Promise<void> {
  const log = await EmbeddedLog.open(file, 1, Date.now);
  const offsets = new GroupOffsets(file, Date.now);
  for (const group of offsets.groups().filter(isMeant))
    await offsets.moveOn(
      group,
      offsets.standing(group).map(({ id }) => [id, log.end(id)]),
    );
}

class EmbeddedBroker extends Broker {
  readonly #log: EmbeddedLog;
  readonly #offsets: GroupOffsets;
  readonly #letters: EmbeddedLetters;
  readonly #retry: RetryPolicy;
  readonly #report: Report;
  readonly #groups = new Map<string, EmbeddedGroup>();
  readonly #trimmer: Trimmer;
  readonly #trims: NodeJS.Timeout;
  readonly #closing = new AbortController();
  readonly #now: () => number;
  /** Rarely, because it writes a row for each partition of each group. */
  readonly #seenEveryMs: number;
  #seenAt = 0;
  #trimming: Promise<void> | undefined;

  constructor(log: EmbeddedLog, options: EmbeddedBrokerOptions) {
    super();
    const { clock = systemClock, retentionMs = RETENTION_MS, floorMs = AN_HOUR, trimEveryMs = 60_000 } = options;
    this.#log = log;
    this.#now = clock.now;
    this.#seenEveryMs = retentionMs / 50;
    this.#offsets = new GroupOffsets(log.file, clock.now);
    this.#letters = new EmbeddedLetters(log.file, clock.now);
    this.#retry = options.retry ?? defaultRetry;
    this.#report = options.report ?? (() => undefined);
    this.#trimmer = new Trimmer(log, { retentionMs, floorMs, clock });
    this.#trims = setInterval(() => (this.#trimming ??= this.#trim()), trimEveryMs).unref();
  }

  async ensureTopics(topics: readonly string[]): Promise<void> {
    await this.#partitions(topics);
  }

  async partitions(topic: string): Promise<number> {
    return (await this.#log.partitionsOf(topic)).length;
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
    checkGroup(options.group);
    const partitions = await this.#partitions(options.topics);
    return this.#group(options.group).join(partitions, options);
  }

  async deadLetters(group: string, limit: number, after?: string): Promise<readonly DeadLetter[]> {
    return this.#letters.read(group, limit, after);
  }

  async countDeadLetters(group: string): Promise<number> {
    return this.#letters.count(group);
  }

  async redrive(group: string, ids?: readonly string[]): Promise<number> {
    const count = await this.#letters.redrive(group, ids);
    if (count > 0) this.#groups.get(group)?.wakeForRedriven();
    return count;
  }

  async lag(group: string): Promise<readonly Lag[]> {
    return this.#group(group).lag();
  }

  async close(): Promise<void> {
    clearInterval(this.#trims);
    this.#closing.abort();
    await this.#trimming;
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  async #trim(): Promise<void> {
    try {
      if (this.#now() - this.#seenAt > this.#seenEveryMs) {
        this.#seenAt = this.#now();
        await Promise.all([...this.#groups.values()].map((group) => group.noteSeen()));
      }
      await this.#trimmer.run(this.#closing.signal);
    } catch (error) {
      this.#report('topics could not be trimmed', { error: reasonOf(error) });
    } finally {
      this.#trimming = undefined;
    }
  }

  async #partitions(topics: readonly string[]) {
    return (await Promise.all(topics.map((topic) => this.#log.partitionsOf(topic)))).flat();
  }

  #group(name: string): EmbeddedGroup {
    let group = this.#groups.get(name);
    if (!group) {
      const { offsets, letters } = { offsets: this.#offsets, letters: this.#letters };
      group = new EmbeddedGroup(name, { log: this.#log, offsets, letters, retry: this.#retry, report: this.#report });
      this.#groups.set(name, group);
    }
    return group;
  }
}
