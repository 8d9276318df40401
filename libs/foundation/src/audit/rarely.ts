const MINUTE = 60_000;

/**
 * Limits how much callers without a session can cause to be stored: a number of times per minute for each address, and for all addresses
 * together. The counts start again each minute.
 */
export class Rarely {
  private readonly counts = new Map<string, number>();
  private all = 0;
  private since = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly each: number,
    private readonly together: number,
    /** A monotonic clock, in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  allows(address: string): boolean {
    if (this.now() - this.since >= MINUTE) {
      this.counts.clear();
      this.all = 0;
      this.since = this.now();
    }
    const count = this.counts.get(address) ?? 0;
    if (count >= this.each || this.all >= this.together) return false;
    this.counts.set(address, count + 1);
    this.all += 1;
    return true;
  }
}
