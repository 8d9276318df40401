import type { SqliteFile } from '@parlance/sqlite';
import { checkGroup, type DeadLetter, type Lag, OFFSETS_KEPT_MS, type Publisher, RETENTION_MS, type RetryPolicy } from '../broker.ts';
import type { SubscribeOptions, Subscription } from '../broker.ts';
import { LogBroker, type ServiceLog } from '../log-broker.ts';
import { defaultRetry, reasonOf, type Report } from '../retry.ts';
import { Cursors } from './cursors.ts';
import { CautiousClock, type TwoClocks } from './cautious-clock.ts';
import { PARTITIONS } from './entry.ts';
import { Group } from './group.ts';
import { Letters } from './letters.ts';
import { MovedCursors } from './moved-cursors.ts';
import { schema } from './schema.ts';
import { SentLog } from './sent-log.ts';
import { Source } from './source.ts';

export interface EmbeddedBrokerOptions {
  readonly retry?: RetryPolicy;
  readonly report?: Report;
  /** The maximum age of events that are delivered to a group that is behind. */
  readonly retentionMs?: number;
  readonly tendEveryMs?: number;
  /** For tests. */
  readonly clock?: TwoClocks;
}

/** A new group gets the events of this time. Nothing is dropped for this long after a start. */
const AN_HOUR = 60 * 60_000;
const systemClock: TwoClocks = { now: Date.now, steady: () => performance.now() };

/**
 * Delivers the public events of the services in one process directly from their logs. A topic is one of these logs, and its partitions
 * divide the streams, so nothing is copied. The file contains only what the logs do not: how far each group has handled each log, and the
 * dead letters.
 *
 * For each group and partition, every wanted event of the log is in exactly one of three places: before the cursor (it was handled), after
 * the cursor (it will be delivered), or among the dead letters. A cursor moves past an event when the event was handled, or in the unit of
 * work that sets the event aside. The cursor is written to disk later than the log, so a crash can only move it back.
 *
 * `close` leaves the file open.
 */
export async function openEmbeddedBroker(file: SqliteFile, options: EmbeddedBrokerOptions = {}): Promise<LogBroker> {
  await file.migrate(schema);
  const broker = new EmbeddedBroker(file, options);
  if (SentLog.isIn(file)) await broker.sentLog();
  return broker;
}

class EmbeddedBroker extends LogBroker {
  readonly #file: SqliteFile;
  readonly #cursors: Cursors;
  readonly #letters: Letters;
  readonly #retry: RetryPolicy;
  readonly #report: Report;
  readonly #retentionMs: number;
  readonly #clock: TwoClocks;
  readonly #cautious: CautiousClock;
  readonly #sources = new Map<string, Source>();
  readonly #groups = new Map<string, Group>();
  readonly #moved: MovedCursors;
  readonly #tending: NodeJS.Timeout;
  #seenAt = 0;
  #round: Promise<void> | undefined;
  #sent: Promise<SentLog> | undefined;

  constructor(file: SqliteFile, options: EmbeddedBrokerOptions) {
    super();
    const { clock = systemClock, retentionMs = RETENTION_MS, tendEveryMs = 60_000 } = options;
    this.#file = file;
    this.#clock = clock;
    this.#cautious = new CautiousClock(clock, AN_HOUR);
    this.#retentionMs = retentionMs;
    this.#retry = options.retry ?? defaultRetry;
    this.#report = options.report ?? (() => undefined);
    this.#cursors = new Cursors(file, clock.now);
    this.#moved = new MovedCursors(this.#cursors, this.#report);
    this.#letters = new Letters(file, clock.now, this.#cursors);
    this.#tending = setInterval(() => (this.#round ??= this.#tend().finally(() => (this.#round = undefined))), tendEveryMs).unref();
  }

  async enter(log: ServiceLog): Promise<Source> {
    await this.#cursors.takeOver(log.name, () => log.relayed());
    const source = await Source.open(log, this.#clock.now() - AN_HOUR);
    this.#sources.set(log.name, source);
    for (const group of this.#groups.values()) await group.follow(source);
    source.follow((entries, after) => {
      for (const group of this.#groups.values()) group.arrived(source, entries, after);
    }, this.#report);
    return source;
  }

  async ensureTopics(): Promise<void> {
    // A topic is a log.
  }

  async partitions(): Promise<number> {
    return PARTITIONS;
  }

  async publisher(name: string): Promise<Publisher> {
    return (await this.sentLog()).publisher(name);
  }

  sentLog(): Promise<SentLog> {
    this.#sent ??= SentLog.open(this.#file, this.#clock.now).then(async (log) => {
      await this.enter(log);
      return log;
    });
    return this.#sent;
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    checkGroup(options.group);
    return this.#group(options.group).join(options);
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
    clearInterval(this.#tending);
    await Promise.all([...this.#sources.values()].map((source) => source.stop()));
    await this.#round;
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
    await this.#moved.write();
  }

  /** Once a minute. */
  async #tend(): Promise<void> {
    try {
      const now = this.#clock.now();
      for (const source of this.#sources.values()) source.noteEnd(this.#clock.steady(), AN_HOUR);
      // Rarely, because it writes a row for each partition of each group.
      if (now - this.#seenAt > this.#retentionMs / 50) {
        this.#seenAt = now;
        for (const group of this.#groups.values()) group.noteSeen();
      }
      const cautious = this.#cautious.now();
      if (cautious === null) return;
      for (const source of this.#sources.values()) await source.trim(cautious - this.#retentionMs);
      const before = cautious - 2 * this.#retentionMs;
      await this.#letters.forget(before);
      await this.#cursors.forget(Math.min(before, cautious - OFFSETS_KEPT_MS));
    } catch (error) {
      this.#report('the maintenance of the broker failed', { error: reasonOf(error) });
    }
  }

  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) {
      group = new Group(name, {
        cursors: this.#cursors,
        letters: this.#letters,
        sources: this.#sources,
        retry: this.#retry,
        report: this.#report,
        moved: this.#moved,
      });
      this.#groups.set(name, group);
    }
    return group;
  }
}
