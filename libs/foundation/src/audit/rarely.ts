const MINUTE = 60_000;

/**
 * Bounds what callers who are not signed in can cause to be stored: so many times a minute for each address, and so many for all
 * addresses together. Counts are forgotten each minute.
 */
export class Rarely {
  private readonly counts = new Map<string, number>();
  private all = 0;
  private since = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly each: number,
    private readonly together: number,
    /** Milliseconds of a clock that never goes back. */
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
