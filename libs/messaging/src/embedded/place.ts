import { setImmediate } from 'node:timers/promises';
import { type Delivery, NotNow, type RetryPolicy } from '../broker.ts';
import type { EmbeddedLog, Entry, Partition } from './log.ts';
import { delayAfter, pause, reasonOf, type Report } from '../retry.ts';

/** Whoever handles deliveries for a group in this process. */
export interface Member {
  readonly topics: ReadonlySet<string>;
  readonly handle: (delivery: Delivery) => Promise<void>;
  readonly leaving: AbortSignal;
  /** What `stop` must wait for. */
  readonly inHand: Set<Promise<unknown>>;
}

export interface PlaceContext {
  readonly log: EmbeddedLog;
  readonly group: string;
  readonly retry: RetryPolicy;
  readonly report: Report;
  /** Who handles this partition at present, if anybody. */
  member(partition: Partition): Member | undefined;
  moved(place: Place): void;
}

/** So many are read at once: few enough that the read holds nothing up (some 0.2 ms), enough that it costs little per event. */
const readAhead = 64;

/** One group's place in one partition: delivers what is there, one by one, in order. */
export class Place {
  readonly partition: Partition;
  readonly #context: PlaceContext;
  #next: number;
  #busy = false;
  #woken = false;
  #mayHoldRedriven = true;
  /** Of the delivery that is due: kept here so that the count goes on when its handler changes. */
  #tried = { offset: -1, times: 0, postponed: 0 };

  constructor(partition: Partition, next: number, context: PlaceContext) {
    this.partition = partition;
    this.#next = next;
    this.#context = context;
  }

  get next(): number {
    return this.#next;
  }

  /** There may be something to deliver. Safe to call at any time: a wake-up during a delivery is heeded after it. */
  wake(): void {
    this.#woken = true;
    if (!this.#busy) void this.#work();
  }

  wakeForRedriven(): void {
    this.#mayHoldRedriven = true;
    this.wake();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#woken) {
        this.#woken = false;
        await this.#deliverWhatIsThere();
      }
    } catch (error) {
      // The file failed us (full, closed): nothing has moved on, so later is as good as now.
      this.#context.report('deliveries are held up', { group: this.#context.group, ...this.partition, error: reasonOf(error) });
      setTimeout(() => this.wake(), this.#context.retry.maxDelayMs).unref();
    } finally {
      this.#busy = false;
    }
  }

  async #deliverWhatIsThere(): Promise<void> {
    while (this.#context.member(this.partition)) {
      const entries = this.#due();
      if (entries.length === 0) return;
      for (const entry of entries) {
        const member = this.#context.member(this.partition);
        if (!member) return;
        const delivery = this.#deliver(entry, member);
        member.inHand.add(delivery);
        const done = await delivery.finally(() => member.inHand.delete(delivery));
        if (!done) break;
      }
      // A long backlog must not keep timers and requests waiting.
      if (entries.length === readAhead) await setImmediate();
    }
  }

  #due(): readonly Entry[] {
    const { log, group } = this.#context;
    if (this.#mayHoldRedriven) {
      const redriven = log.redriven(group, this.partition.id, readAhead);
      if (redriven.length > 0) return redriven;
      this.#mayHoldRedriven = false;
    }
    return log.read(this.partition.id, this.#next, readAhead);
  }

  /** Answers false when the member left before this delivery came to an end. */
  async #deliver(entry: Entry, member: Member): Promise<boolean> {
    if (this.#tried.offset !== entry.offset) this.#tried = { offset: entry.offset, times: 0, postponed: 0 };
    const { topic, number } = this.partition;
    const event = JSON.parse(entry.event) as Delivery['event'];
    const common = { topic, partition: number, offset: String(entry.offset), key: entry.key, event };
    while (!member.leaving.aborted) {
      const attempt = ++this.#tried.times;
      try {
        await member.handle({ ...common, attempt });
      } catch (error) {
        if (error instanceof NotNow) this.#tried.postponed++;
        else if (attempt - this.#tried.postponed >= this.#context.retry.attempts) {
          await this.#bury(entry, event.type, reasonOf(error));
          return true;
        }
        if (await pause(delayAfter(attempt, this.#context.retry), member.leaving)) continue;
        return false;
      }
      if (entry.letter === undefined) this.#moveOn(entry);
      else await this.#context.log.settle(entry.letter);
      return true;
    }
    return false;
  }

  async #bury(entry: Entry, type: string, reason: string): Promise<void> {
    const { log, group, report } = this.#context;
    await log.bury(group, this.partition.id, entry, reason, entry.letter === undefined ? entry.offset + 1 : this.#next);
    report('a delivery was set aside', {
      group,
      topic: this.partition.topic,
      partition: this.partition.number,
      offset: entry.offset,
      type,
      reason,
    });
    // A redriven one that failed once more begins at its first try when it is redriven again.
    this.#tried = { offset: -1, times: 0, postponed: 0 };
    if (entry.letter === undefined) this.#moveOn(entry);
  }

  #moveOn(entry: Entry): void {
    this.#next = entry.offset + 1;
    this.#context.moved(this);
  }
}
