/** A share that lasts less than SHORT_MILLIS was too small, and one that lasts longer than LONG_MILLIS was too large. */
const SHORT_MILLIS = 1_000;
const LONG_MILLIS = 2_000;
const MOST = 100_000;

/** Determines how much a process borrows, so that it borrows about once a second, however much it uses. */
export class Pace {
  private amount = 1;
  private since = -Infinity;

  /** The amount to borrow after a share is used up. `now` is in milliseconds. */
  next(now: number): number {
    const lasted = now - this.since;
    if (lasted < SHORT_MILLIS) this.amount = Math.min(MOST, this.amount * 2);
    if (lasted > LONG_MILLIS) this.amount = Math.max(1, Math.floor(this.amount / 2));
    this.since = now;
    return this.amount;
  }
}
