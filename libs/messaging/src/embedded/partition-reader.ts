import { setImmediate } from 'node:timers/promises';
import type { BatchLimit, Delivery, RetryPolicy, SubscribeOptions } from '../broker.ts';
import { pause, reasonOf, type Report } from '../retry.ts';
import { Tries } from '../tries.ts';
import type { Entry, Partition } from './entry.ts';
import type { EmbeddedLetters } from './letters.ts';
import type { EmbeddedLog } from './log.ts';

/** A subscription of a group in this process. */
export interface Member extends Pick<SubscribeOptions, 'handle' | 'onTrimmed'> {
  readonly topics: ReadonlySet<string>;
  readonly batch: BatchLimit;
  readonly leaving: AbortSignal;
  /** `stop` waits for these. */
  readonly inHand: Set<Promise<unknown>>;
}

export interface PartitionReaderContext {
  readonly log: EmbeddedLog;
  readonly letters: EmbeddedLetters;
  readonly group: string;
  readonly retry: RetryPolicy;
  readonly report: Report;
  /** The member that handles this partition now, if there is one. */
  member(partition: Partition): Member | undefined;
  moved(reader: PartitionReader): void;
}

/** Events that one read takes for a member without batches. Such a read takes 0.2 ms. */
const READ_AHEAD: BatchLimit = { events: 64, bytes: 256 * 1024 };
const ALONE: BatchLimit = { events: 1, bytes: 0 };

/** Reads one partition for one group, and delivers its events in order. */
export class PartitionReader {
  readonly partition: Partition;
  readonly #context: PartitionReaderContext;
  readonly #tries: Tries;
  readonly #triesOfLetters: Tries;
  #next: number;
  #busy = false;
  #woken = false;
  #mayHoldRedriven = true;

  constructor(partition: Partition, next: number, context: PartitionReaderContext) {
    this.partition = partition;
    this.#next = next;
    this.#context = context;
    this.#tries = new Tries(context.retry);
    this.#triesOfLetters = new Tries(context.retry);
  }

  get next(): number {
    return this.#next;
  }

  /** Checks for new deliveries. Safe to call at any time: during a delivery, the check follows it. */
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
        await this.#deliverAll();
      }
    } catch (error) {
      // The file (full, closed) or `onTrimmed` failed. The offset has not moved, so a retry reads the same events.
      this.#context.report('deliveries are held up', { group: this.#context.group, ...this.partition, error: reasonOf(error) });
      setTimeout(() => this.wake(), this.#context.retry.maxDelayMs).unref();
    } finally {
      this.#busy = false;
    }
  }

  async #deliverAll(): Promise<void> {
    for (let member = this.#member(); member; member = this.#member()) {
      await this.#inHand(member, this.#skipTrimmed(member));
      const due = this.#due(member);
      if (due.length === 0) return;
      for (let at = 0; at < due.length;) {
        const current = this.#member();
        if (!current) return;
        at += await this.#inHand(current, this.#deliver(due, at, current));
      }
      // A long backlog must not delay timers and requests.
      if (due.length > 1) await setImmediate();
    }
  }

  #member(): Member | undefined {
    return this.#context.member(this.partition);
  }

  #inHand<Result>(member: Member, work: Promise<Result>): Promise<Result> {
    member.inHand.add(work);
    return work.finally(() => member.inHand.delete(work));
  }

  async #skipTrimmed({ onTrimmed }: Member): Promise<void> {
    const { log, group, report } = this.#context;
    const base = log.base(this.partition.id);
    if (this.#next >= base) return;
    const { topic, number } = this.partition;
    const trimmed = { topic, partition: number, from: String(this.#next), to: String(base) };
    report('a topic was trimmed before a group had read it', { group, ...trimmed });
    await onTrimmed?.(trimmed);
    this.#moveTo(base);
  }

  #due({ batch }: Member): readonly Entry[] {
    const { log, letters, group } = this.#context;
    if (this.#mayHoldRedriven) {
      const redriven = letters.redriven(group, this.partition, READ_AHEAD.bytes);
      if (redriven.length > 0) return redriven;
      this.#mayHoldRedriven = false;
    }
    return log.read(this.partition, this.#next, batch.events > 1 ? batch : READ_AHEAD);
  }

  /** Hands over a batch. Returns the number of completed deliveries: 0 if they must be retried or the member has left. */
  async #deliver(due: readonly Entry[], from: number, member: Member): Promise<number> {
    const isLetter = due[from]?.letter !== undefined;
    const tries = isLetter ? this.#triesOfLetters : this.#tries;
    const batch = tries.batch(due, from, isLetter ? ALONE : member.batch, ({ bytes }) => bytes);
    const head = batch[0] as Entry;
    const attempt = tries.begin(String(head.offset));
    try {
      await member.handle(batch.map((entry) => deliveryOf(entry, attempt)));
    } catch (error) {
      const verdict = tries.rejected(batch.length, error);
      if (verdict === 'set aside') {
        await this.#setAside(head, reasonOf(error));
        tries.setAside();
        return 1;
      }
      await pause(verdict.again, member.leaving);
      return 0;
    }
    tries.passed(batch.length);
    if (head.letter === undefined) this.#moveTo(head.offset + batch.length);
    else await this.#context.letters.settle(head.letter);
    return batch.length;
  }

  async #setAside(entry: Entry, reason: string): Promise<void> {
    const { letters, group, report } = this.#context;
    const next = entry.letter === undefined ? entry.offset + 1 : this.#next;
    await letters.add(group, entry, reason, next);
    const { topic, number: partition } = this.partition;
    report('a delivery was set aside', { group, topic, partition, offset: entry.offset, type: entry.event.type, reason });
    if (entry.letter === undefined) this.#moveTo(next);
  }

  #moveTo(next: number): void {
    this.#next = next;
    this.#context.moved(this);
  }
}

function deliveryOf({ partition, offset, key, event }: Entry, attempt: number): Delivery {
  return { topic: partition.topic, partition: partition.number, offset: String(offset), key, event, attempt };
}
