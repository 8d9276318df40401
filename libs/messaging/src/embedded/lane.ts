import { setImmediate } from 'node:timers/promises';
import type { BatchLimit, Delivery, RetryPolicy, SubscribeOptions } from '../broker.ts';
import { pause, reasonOf, type Report } from '../retry.ts';
import { Tries } from '../tries.ts';
import type { Cursor } from './cursors.ts';
import { type Entry, type Line, offsetOf } from './entry.ts';
import type { Letters } from './letters.ts';
import type { Move, MovedCursors } from './moved-cursors.ts';
import type { Source } from './source.ts';

/** A subscription of a group in this process. */
export interface Member extends Pick<SubscribeOptions, 'handle' | 'onTrimmed'> {
  readonly topics: ReadonlySet<string>;
  readonly batch: BatchLimit;
  readonly mayGather: boolean;
  readonly leaving: AbortSignal;
  /** The work that `stop` waits for. */
  readonly inHand: Set<Promise<unknown>>;
  wants(type: string): boolean;
}

export interface LaneContext {
  readonly group: string;
  readonly letters: Letters;
  readonly retry: RetryPolicy;
  readonly report: Report;
  /** The member that handles this partition now, if there is one. */
  member(line: Line): Member | undefined;
  readonly moved: MovedCursors;
}

/** The limits of one read for a member that handles events one by one. */
const READ_AHEAD: BatchLimit = { events: 64, bytes: 256 * 1024 };
const ALONE: BatchLimit = { events: 1, bytes: 0 };

/** Delivers the events of one partition of one log to one group, in order. */
export class Lane {
  readonly #context: LaneContext;
  readonly #tries: Tries;
  readonly #triesOfLetters: Tries;
  #next: number;
  #busy = false;
  #woken = false;
  #holdsOff = false;
  #mayHoldRedriven = true;
  #waiting: { readonly until: number; readonly resolve: () => void }[] = [];

  constructor(
    readonly line: Line,
    readonly source: Source,
    next: number,
    context: LaneContext,
  ) {
    this.#next = next;
    this.#context = context;
    this.#tries = new Tries(context.retry);
    this.#triesOfLetters = new Tries(context.retry);
  }

  get cursor(): Cursor {
    return { ...this.line, group: this.#context.group, next: this.#next };
  }

  get isBusy(): boolean {
    return this.#busy;
  }

  /**
   * Resolves when everything that has arrived was handled, or has failed once. Resolves at once for a lane that is far behind or waits for
   * its next try.
   */
  caughtUp(): Promise<void> {
    if (this.#holdsOff || !this.source.isRecent(this.#next)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ until: offsetOf(this.source.head + 1), resolve }));
  }

  get behind(): number {
    return this.source.behind(this.line, this.#next, this.#member()?.wants);
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

  /** Skips commits between two offsets in which the group wants nothing, without a read if it waits at their beginning. */
  pass(from: number, to: number): void {
    if (this.#busy || this.#next < from) this.wake();
    else if (this.#next < to && this.#member()) this.#moveTo(to, 'passed');
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#woken) {
        this.#woken = false;
        await this.#deliverAll();
      }
    } catch (error) {
      // The file (full, closed), the log or `onTrimmed` failed. The cursor has not moved, so a retry reads the same events.
      this.#context.report('deliveries are held up', { group: this.#context.group, ...this.line, error: reasonOf(error) });
      setTimeout(() => this.wake(), this.#context.retry.maxDelayMs).unref();
    } finally {
      this.#busy = false;
      this.#release(Infinity);
    }
  }

  async #deliverAll(): Promise<void> {
    for (let member = this.#member(); member; member = this.#member()) {
      const { taken, next } = await this.#inHand(member, this.#due(member));
      if (taken[0] && (await this.#inHand(member, this.#isTrimmed(taken[0], member)))) continue;
      for (let at = 0; at < taken.length;) {
        const current = this.#member();
        if (!current) return;
        at += await this.#inHand(current, this.#deliver(taken, at, current));
      }
      if (next > this.#next) this.#moveTo(next, 'passed');
      else if (taken.length === 0) return;
      // A long backlog must not delay timers and requests.
      if (taken.length !== 1) await setImmediate();
    }
  }

  #member(): Member | undefined {
    return this.#context.member(this.line);
  }

  #inHand<Result>(member: Member, work: Promise<Result>): Promise<Result> {
    member.inHand.add(work);
    return work.finally(() => member.inHand.delete(work));
  }

  /** Dead letters that were redriven, or the next events. */
  async #due({ batch, wants }: Member): Promise<{ readonly taken: readonly Entry[]; readonly next: number }> {
    if (this.#mayHoldRedriven) {
      const taken = this.#context.letters.redriven(this.#context.group, this.line, READ_AHEAD.bytes);
      if (taken.length > 0) return { taken, next: this.#next };
      this.#mayHoldRedriven = false;
    }
    return this.source.read(this.line, this.#next, batch.events > 1 ? batch : READ_AHEAD, wants);
  }

  /** Whether the next event is older than the retention. If so, the group is notified, and continues after all such events. */
  async #isTrimmed({ offset, letter }: Entry, { onTrimmed }: Member): Promise<boolean> {
    const { base } = this.source;
    if (letter !== undefined || offset >= base) return false;
    const { group, report } = this.#context;
    const { topic, partition } = this.line;
    const trimmed = { topic, partition, from: String(this.#next), to: String(base) };
    report('a topic was trimmed before a group had read it', { group, ...trimmed });
    await onTrimmed?.(trimmed);
    this.#moveTo(base, 'handled');
    return true;
  }

  /** Delivers a batch. Returns the number of completed deliveries: 0 if they must be retried or the member has left. */
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
      await this.#holdOff(verdict.again, member.leaving);
      return 0;
    }
    tries.passed(batch.length);
    if (head.letter === undefined) this.#moveTo(batch.at(-1)!.offset + 1, 'handled');
    else await this.#context.letters.settle(head.letter);
    return batch.length;
  }

  /** Pauses before the next try. Callers of `caughtUp` do not wait for it. */
  async #holdOff(ms: number, leaving: AbortSignal): Promise<void> {
    this.#holdsOff = true;
    this.#release(Infinity);
    await pause(ms, leaving);
    this.#holdsOff = false;
  }

  async #setAside(entry: Entry, reason: string): Promise<void> {
    const { letters, group, report } = this.#context;
    const { topic, partition, offset, event } = entry;
    const next = entry.letter === undefined ? offset + 1 : this.#next;
    await letters.add(entry, reason, { ...this.cursor, next });
    report('a delivery was set aside', { group, topic, partition, offset, type: event.type, reason });
    if (entry.letter === undefined) this.#moveTo(next, 'handled');
  }

  #moveTo(next: number, how: Move): void {
    this.#next = next;
    this.#context.moved.add(this, how);
    this.#release(next);
  }

  #release(next: number): void {
    if (this.#waiting.length === 0) return;
    for (const { until, resolve } of this.#waiting) if (until <= next) resolve();
    this.#waiting = this.#waiting.filter(({ until }) => until > next);
  }
}

function deliveryOf({ topic, partition, offset, key, event }: Entry, attempt: number): Delivery {
  return { topic, partition, offset: String(offset), key, event, attempt };
}
