import type { Lag, RetryPolicy, SubscribeOptions, Subscription } from '../broker.ts';
import { reasonOf, type Report } from '../retry.ts';
import type { Partition } from './entry.ts';
import type { GroupOffsets } from './group-offsets.ts';
import type { EmbeddedLetters } from './letters.ts';
import type { EmbeddedLog } from './log.ts';
import { type Member, PartitionReader, type PartitionReaderContext } from './partition-reader.ts';

/** Offsets are written at most this much later. After a crash, deliveries of that time are handled again. */
const COMMIT_AFTER_MS = 100;

export interface GroupContext {
  readonly log: EmbeddedLog;
  readonly offsets: GroupOffsets;
  readonly letters: EmbeddedLetters;
  readonly retry: RetryPolicy;
  readonly report: Report;
}

/** A group's members in this process, and its readers of the partitions of their topics. */
export class EmbeddedGroup {
  readonly #name: string;
  readonly #shared: GroupContext;
  readonly #context: PartitionReaderContext;
  readonly #readers = new Map<number, PartitionReader>();
  readonly #members: Member[] = [];
  readonly #subscriptions = new Set<Subscription>();
  readonly #moved = new Set<PartitionReader>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(name: string, shared: GroupContext) {
    this.#name = name;
    this.#shared = shared;
    this.#context = {
      ...shared,
      group: name,
      member: (partition) => this.#memberFor(partition),
      moved: (reader) => this.#noteMove(reader),
    };
  }

  async join(partitions: readonly Partition[], options: SubscribeOptions): Promise<Subscription> {
    const { topics, batch = { events: 1, bytes: 0 }, handle, onTrimmed } = options;
    const offsets = await this.#shared.offsets.join(this.#name, partitions);
    for (const partition of partitions) {
      if (!this.#readers.has(partition.id))
        this.#readers.set(partition.id, new PartitionReader(partition, offsets.get(partition.id) ?? 0, this.#context));
    }
    const leaving = new AbortController();
    const member: Member = {
      topics: new Set(topics),
      batch,
      handle,
      leaving: leaving.signal,
      inHand: new Set(),
      ...(onTrimmed && { onTrimmed }),
    };
    this.#members.push(member);
    this.wake();
    let stopped: Promise<void> | undefined;
    const subscription = { stop: () => (stopped ??= this.#leave(member, leaving).finally(() => this.#subscriptions.delete(subscription))) };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async #leave(member: Member, leaving: AbortController): Promise<void> {
    this.#members.splice(this.#members.indexOf(member), 1);
    leaving.abort();
    await Promise.allSettled(member.inHand);
    await this.commit();
    this.wake();
  }

  /** Members share the partitions of a topic evenly. When one joins or leaves, the shares change from the next delivery on. */
  #memberFor(partition: Partition): Member | undefined {
    const listening = this.#members.length === 1 ? this.#members : this.#members.filter(({ topics }) => topics.has(partition.topic));
    const member = listening[partition.number % listening.length];
    return member?.topics.has(partition.topic) ? member : undefined;
  }

  wake(partition?: number): void {
    if (partition !== undefined) this.#readers.get(partition)?.wake();
    else for (const reader of this.#readers.values()) reader.wake();
  }

  wakeForRedriven(): void {
    for (const reader of this.#readers.values()) reader.wakeForRedriven();
  }

  #noteMove(reader: PartitionReader): void {
    this.#moved.add(reader);
    this.#timer ??= setTimeout(() => void this.commit().catch((error: unknown) => this.#commitFailed(error)), COMMIT_AFTER_MS);
    this.#timer.unref();
  }

  #commitFailed(error: unknown): void {
    this.#shared.report('offsets could not be written', { group: this.#name, error: reasonOf(error) });
    for (const reader of this.#readers.values()) this.#noteMove(reader);
  }

  /** Records that the partitions have a listener, including those without new events. */
  async noteSeen(): Promise<void> {
    for (const reader of this.#readers.values()) if (this.#memberFor(reader.partition)) this.#moved.add(reader);
    await this.commit();
  }

  /** Writes the offsets of readers that have moved. */
  commit(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const moved = [...this.#moved].map((reader) => [reader.partition.id, reader.next] as const);
        this.#moved.clear();
        if (moved.length > 0) await this.#shared.offsets.moveOn(this.#name, moved);
      });
    return this.#writing;
  }

  lag(): readonly Lag[] {
    const { log, offsets } = this.#shared;
    return offsets.standing(this.#name).map(({ id, topic, number, next }) => ({
      topic,
      partition: number,
      behind: log.end(id) - Math.max(next, this.#readers.get(id)?.next ?? 0, log.base(id)),
    }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((each) => each.stop()));
  }
}
