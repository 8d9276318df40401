import { type BatchLimit, UnsupportedEvent, NotNow, type RetryPolicy } from './broker.ts';
import { delayAfter } from './retry.ts';

/** The consequence of a rejection: another try after some milliseconds, or the single delivery is set aside. */
export type Verdict = { readonly again: number } | 'set aside';

/**
 * Counts the tries at the head of one partition. A rejected batch is halved until the failing delivery stands alone. Only the tries of
 * a single delivery count against the policy.
 */
export class Tries {
  readonly #policy: RetryPolicy;
  #head = '';
  #attempt = 0;
  #waits = 0;
  #refusals = 0;
  /** The number of deliveries at the head that include the failing one; 0 if none is known to fail. */
  #suspects = 0;

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  /** Returns the number of the current try of the delivery with this offset, from 1. */
  begin(offset: string): number {
    if (this.#head !== offset) {
      this.#head = offset;
      this.#attempt = this.#waits = this.#refusals = 0;
    }
    return ++this.#attempt;
  }

  /** The deliveries of the next batch: the longest run from the index `from` that limit and suspects allow, at least one. */
  batch<Due>(due: readonly Due[], from: number, limit: BatchLimit, bytesOf: (each: Due) => number): readonly Due[] {
    const most = Math.min(limit.events, this.#suspects > 0 ? Math.ceil(this.#suspects / 2) : Infinity);
    let to = from;
    for (let bytes = 0; to < due.length && to - from < most; to++) {
      bytes += bytesOf(due[to] as Due);
      if (bytes > limit.bytes && to > from) break;
    }
    return due.slice(from, to);
  }

  passed(count: number): void {
    this.#suspects = Math.max(0, this.#suspects - count);
  }

  rejected(count: number, error: unknown): Verdict {
    if (error instanceof NotNow) return this.#again();
    if (count > 1) {
      this.#suspects = count;
      return { again: 0 };
    }
    if (error instanceof UnsupportedEvent) return 'set aside';
    return ++this.#refusals >= this.#policy.attempts ? 'set aside' : this.#again();
  }

  /** The failing delivery was set aside. If it is redriven, its tries are counted from 1. */
  setAside(): void {
    this.#head = '';
    this.#suspects = 0;
  }

  #again(): Verdict {
    return { again: delayAfter(++this.#waits, this.#policy) };
  }
}
