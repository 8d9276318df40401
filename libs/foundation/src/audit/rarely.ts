const MINUTE = 60_000;

/**
 * Limits how many records per minute callers without a session can cause: for each address, and for all addresses together. The counts start
 * again each minute.
 */
export class Rarely {
  private readonly counts = new Map<string, number>();
  private total = 0;
  private since = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly perAddress: number,
    private readonly inTotal: number,
    /** A monotonic clock, in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  allows(address: string): boolean {
    if (this.now() - this.since >= MINUTE) {
      this.counts.clear();
      this.total = 0;
      this.since = this.now();
    }
    const count = this.counts.get(address) ?? 0;
    if (count >= this.perAddress || this.total >= this.inTotal) return false;
    this.counts.set(address, count + 1);
    this.total += 1;
    return true;
  }
}
