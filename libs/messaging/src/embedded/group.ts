import type { Lag, RetryPolicy, SubscribeOptions, Subscription } from '../broker.ts';
import type { EmbeddedLog, Partition } from './log.ts';
import { type Member, Place, type PlaceContext } from './place.ts';
import { reasonOf, type Report } from '../retry.ts';

/** What was handled is written down this much later at most: after a crash that much is handled again, and no more. */
const commitAfterMs = 100;

/** A group's members in this process, and its places in the partitions they listen to. */
export class EmbeddedGroup {
  readonly #name: string;
  readonly #log: EmbeddedLog;
  readonly #report: Report;
  readonly #context: PlaceContext;
  readonly #places = new Map<number, Place>();
  readonly #members: Member[] = [];
  readonly #subscriptions = new Set<Subscription>();
  readonly #moved = new Set<Place>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(name: string, log: EmbeddedLog, retry: RetryPolicy, report: Report) {
    this.#name = name;
    this.#log = log;
    this.#report = report;
    this.#context = {
      log,
      group: name,
      retry,
      report,
      member: (partition) => this.#memberFor(partition),
      moved: (place) => this.#noteMove(place),
    };
  }

  async join(partitions: readonly Partition[], { topics, handle }: SubscribeOptions): Promise<Subscription> {
    const places = await this.#log.places(this.#name, partitions);
    for (const partition of partitions) {
      if (!this.#places.has(partition.id))
        this.#places.set(partition.id, new Place(partition, places.get(partition.id) ?? 0, this.#context));
    }
    const leaving = new AbortController();
    const member: Member = { topics: new Set(topics), handle, leaving: leaving.signal, inHand: new Set() };
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

  /** Members share the partitions of a topic evenly; who joins or leaves changes the shares from the next delivery on. */
  #memberFor(partition: Partition): Member | undefined {
    const listening = this.#members.length === 1 ? this.#members : this.#members.filter(({ topics }) => topics.has(partition.topic));
    const member = listening[partition.number % listening.length];
    return member?.topics.has(partition.topic) ? member : undefined;
  }

  wake(partition?: number): void {
    if (partition !== undefined) this.#places.get(partition)?.wake();
    else for (const place of this.#places.values()) place.wake();
  }

  wakeForRedriven(): void {
    for (const place of this.#places.values()) place.wakeForRedriven();
  }

  #noteMove(place: Place): void {
    this.#moved.add(place);
    this.#timer ??= setTimeout(() => void this.commit().catch((error: unknown) => this.#commitFailed(error)), commitAfterMs);
    this.#timer.unref();
  }

  #commitFailed(error: unknown): void {
    this.#report('offsets could not be written', { group: this.#name, error: reasonOf(error) });
    for (const place of this.#places.values()) this.#noteMove(place);
  }

  /** Writes down where the group stands. */
  commit(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const moved = [...this.#moved].map((place) => [place.partition.id, place.next] as const);
        this.#moved.clear();
        if (moved.length > 0) await this.#log.moveOn(this.#name, moved);
      });
    return this.#writing;
  }

  lag(): readonly Lag[] {
    return this.#log.standing(this.#name).map(({ id, topic, number, next }) => ({
      topic,
      partition: number,
      behind: this.#log.end(id) - Math.max(next, this.#places.get(id)?.next ?? 0),
    }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((each) => each.stop()));
  }
}
