/** Shares that last for less than the first are too small, and those that last for longer than the second too large. */
const SHORT_MILLIS = 1_000;
const LONG_MILLIS = 2_000;
const MOST = 100_000;

/** How much a process borrows at a time, so that it has to borrow about once a second, whatever it uses. */
export class Pace {
  private amount = 1;
  private since = -Infinity;

  /** For a share that is used up. `now`: milliseconds. */
  next(now: number): number {
    const lasted = now - this.since;
    if (lasted < SHORT_MILLIS) this.amount = Math.min(MOST, this.amount * 2);
    if (lasted > LONG_MILLIS) this.amount = Math.max(1, Math.floor(this.amount / 2));
    this.since = now;
    return this.amount;
  }
}
