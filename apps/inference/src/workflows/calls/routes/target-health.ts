/** Failures in a row after which a target gets a pause. */
export const MOST_FAILURES = 3;
const FIRST_PAUSE_MILLIS = 5_000;
/** The pause doubles with each further failure, up to this time. */
export const LONGEST_PAUSE_MILLIS = 60_000;
/** The pause after an answer 429 or 529 without `Retry-After`. */
const BUSY_MILLIS = 1_000;

/**
 * How a call has ended. `unusable`: the target's configuration is wrong. `left`: it says nothing about the target. With `busyMillis`: the target asked
 * for a pause, of a usual time if it is null; with `hasFailed` it is counted as a failure, too.
 */
export type CallEnd = 'answered' | 'failed' | 'unusable' | 'left' | { readonly busyMillis: number | null; readonly hasFailed?: boolean };

/** Whether a target may be called. After failures in a row it gets a pause, and then one call tries whether it works again. */
export class TargetHealth {
  private failures = 0;
  private pausedUntil = 0;
  private hasTrial = false;
  private refusesUntil = 0;

  constructor(private readonly now: () => number) {}

  get isUsable(): boolean {
    return this.pausedMillis === 0 && !(this.isDoubtful && this.hasTrial);
  }

  /** The rest of a pause. */
  get pausedMillis(): number {
    return Math.max(0, this.pausedUntil - this.now());
  }

  /** Whether the provider has named a time until which it refuses calls, at most a minute away. Then a call is not made even if there is no other target. */
  get refuses(): boolean {
    return this.now() < this.refusesUntil;
  }

  /** Returns a function that ends the call. Only its first call counts. */
  begin(): (end: CallEnd) => void {
    const isTrial = this.isDoubtful && !this.hasTrial;
    if (isTrial) this.hasTrial = true;
    let hasEnded = false;
    return (end) => {
      if (hasEnded) return;
      hasEnded = true;
      if (isTrial) this.hasTrial = false;
      this.learn(end);
    };
  }

  private get isDoubtful(): boolean {
    return this.failures >= MOST_FAILURES;
  }

  private learn(end: CallEnd): void {
    if (end === 'left') return;
    if (end === 'answered') {
      this.failures = 0;
      return;
    }
    const hasFailed = typeof end === 'string' || end.hasFailed === true;
    // Calls that began before the pause fail, too.
    if (hasFailed && this.pausedMillis === 0) this.countFailure(end === 'unusable');
    if (typeof end !== 'object') return;
    this.pause(end.busyMillis ?? BUSY_MILLIS);
    this.refusesUntil = Math.max(this.refusesUntil, this.now() + Math.min(end.busyMillis ?? 0, LONGEST_PAUSE_MILLIS));
  }

  private countFailure(isUnusable: boolean): void {
    this.failures = isUnusable ? Math.max(this.failures + 1, MOST_FAILURES) : this.failures + 1;
    if (this.isDoubtful) this.pause(Math.min(FIRST_PAUSE_MILLIS * 2 ** (this.failures - MOST_FAILURES), LONGEST_PAUSE_MILLIS));
  }

  private pause(millis: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + millis);
  }
}
