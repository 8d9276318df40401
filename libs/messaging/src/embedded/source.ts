import { setImmediate } from 'node:timers/promises';
import { Instant } from '@parlance/decider';
import { positionAt } from '@parlance/event-store';
import type { BatchLimit } from '../broker.ts';
import type { ServiceLog } from '../log-broker.ts';
import type { Outbox } from '../relay/outbox.ts';
import { pause, reasonOf, type Report } from '../retry.ts';
import { type Entry, type Line, nameOf, offsetOf, PARTITIONS, positionOf } from './entry.ts';
import { Stretch } from './stretch.ts';

/** The part of a log, at its end, that is kept in memory. Groups near the end read no rows. */
const TAIL: BatchLimit = { events: 1_000, bytes: 1024 * 1024 };
/** A read for groups that are behind. The partitions of a group share the newest pages. */
const PAGE: BatchLimit = { events: 256, bytes: 256 * 1024 };
const PAGES = 4;
const AGAIN_MS = 1_000;

/** Follows the log of one service and gives its public events to groups, from memory at its end and from the log before that. */
export class Source implements Outbox {
  /** Events before this offset are older than the retention, and are no longer delivered. */
  base = 0;
  /** Positions of groups are beyond this only if the log has lost commits. */
  readonly end: number;
  readonly #log: ServiceLog;
  readonly #tail: Stretch;
  readonly #pages: Stretch[] = [];
  readonly #loading = new Map<number, Promise<Stretch>>();
  readonly #stopping = new AbortController();
  /** Earlier ends of the log. The oldest one is from an hour ago, if this process has run for that long. */
  readonly #ends: { readonly at: number; readonly position: number }[];
  #running: Promise<void> | undefined;

  private constructor(log: ServiceLog, head: number, begin: number) {
    this.#log = log;
    this.end = offsetOf(head + 1);
    this.#tail = new Stretch(head);
    this.#ends = [{ at: -Infinity, position: begin - 1 }];
  }

  /** A new group gets events from the time `since` (ms) on. */
  static async open(log: ServiceLog, since: number): Promise<Source> {
    const head = await log.store.head();
    return new Source(log, head, Math.min(await positionAt(log.store, Instant.ofMillis(since)), head + 1));
  }

  get name(): string {
    return this.#log.name;
  }

  /** The end of the log, up to which groups have been notified. */
  get head(): number {
    return this.#tail.to;
  }

  async position(): Promise<number> {
    return this.head;
  }

  async firstClaim(): Promise<void> {
    // No other process publishes this log.
  }

  linesOf(topics: readonly string[]): readonly Line[] {
    const served = this.#log.topic === null ? topics : topics.filter((topic) => topic === this.#log.topic);
    return served.flatMap((topic) => Array.from({ length: PARTITIONS }, (_, partition) => ({ source: this.name, topic, partition })));
  }

  /** Calls `arrived` with the public events of new commits, and with the position before these commits. */
  follow(arrived: (entries: readonly Entry[], after: number) => void, report: Report): void {
    this.#running = this.#follow(arrived, report);
  }

  start(): void {
    // It follows the log from the beginning.
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** The next wanted entries of a partition, and the offset up to which there are no others. */
  async read({ topic, partition }: Line, from: number, limit: BatchLimit, wants: (type: string) => boolean) {
    const position = positionOf(from);
    if (position > this.#tail.to) return { taken: [], next: from };
    const stretch = this.#held(position) ?? (await this.#page(position));
    return stretch.take(nameOf(topic, partition), from, limit, wants);
  }

  /** Whether the events after an offset are in memory. */
  isRecent(offset: number): boolean {
    return positionOf(offset) > this.#tail.to || this.#tail.holds(positionOf(offset));
  }

  /** How many events follow an offset in a partition. Those that are not in memory are estimated. Negative for an offset beyond the end of the log. */
  behind({ topic, partition }: Line, next: number, wants: (type: string) => boolean = () => true): number {
    const from = Math.max(next, this.base);
    const unread = this.#tail.to + 1 - positionOf(from);
    if (unread <= 0) return unread;
    const inMemory = this.#tail.count(nameOf(topic, partition), from, wants);
    return this.#tail.holds(positionOf(from)) ? inMemory : Math.max(1, Math.ceil(unread / PARTITIONS), inMemory);
  }

  /** The offset at which a new group begins: an hour ago, measured by the clock of this process if it has run for that long. */
  get begin(): number {
    return Math.max(offsetOf(this.#ends[0]!.position + 1), this.base);
  }

  /** Records the current end of the log with the time of the monotonic clock. */
  noteEnd(at: number, hourMs: number): void {
    this.#ends.push({ at, position: this.#tail.to });
    while (this.#ends[1] && at - this.#ends[1].at >= hourMs) this.#ends.shift();
  }

  /** Delivers no events that are older than a time (ms). */
  async trim(before: number): Promise<void> {
    const position = await positionAt(this.#log.store, Instant.ofMillis(before));
    this.base = Math.max(this.base, offsetOf(Math.min(position, this.#tail.to + 1)));
  }

  async #follow(arrived: (entries: readonly Entry[], after: number) => void, report: Report): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#log.store.grown(this.#tail.to, signal);
        // Appends of one group are mapped together, and after their requests are answered.
        await setImmediate();
        while (!signal.aborted && (await this.#readOn(arrived)));
      } catch (error) {
        report('the log of a service could not be read', { source: this.name, error: reasonOf(error) });
        await pause(AGAIN_MS, signal);
      }
    }
  }

  /** Returns whether there may be more. */
  async #readOn(arrived: (entries: readonly Entry[], after: number) => void): Promise<boolean> {
    const { store, publish } = this.#log;
    const after = this.#tail.to;
    const commits = await store.readAll(after, PAGE.events, PAGE.bytes);
    if (commits.length === 0) return false;
    const entries = this.#tail.add(commits, publish);
    this.#tail.shrink(TAIL);
    arrived(entries, after);
    await setImmediate();
    return commits.length === PAGE.events;
  }

  #held(position: number): Stretch | undefined {
    return this.#tail.holds(position) ? this.#tail : this.#pages.find((page) => page.holds(position));
  }

  /** Partitions that need the same page at the same time share one read. */
  #page(position: number): Promise<Stretch> {
    let loading = this.#loading.get(position);
    if (!loading) this.#loading.set(position, (loading = this.#load(position).finally(() => this.#loading.delete(position))));
    return loading;
  }

  async #load(position: number): Promise<Stretch> {
    const { store, publish } = this.#log;
    const page = new Stretch(position - 1);
    page.add(await store.readAll(position - 1, PAGE.events, PAGE.bytes), publish);
    this.#pages.unshift(page);
    this.#pages.length = Math.min(this.#pages.length, PAGES);
    return page;
  }
}
