const MINUTE = 60_000;

/** Half a nanosecond: the rounding error of sums of fractions of a millisecond. */
const ROUNDING = 5e-7;

/**
 * A token bucket for each holder, a user or an address: `perMinute` requests at once, and as many per minute. The bucket is stored as the
 * time at which it is full again, and removed after that time. When there are more than `most` holders, the bucket that was used least
 * recently is removed: its holder has a full one.
 */
export class RequestLimit {
  private readonly fullAt = new Map<string, number>();
  private readonly interval: number;

  constructor(
    perMinute: number,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number,
    private readonly most = 50_000,
  ) {
    this.interval = MINUTE / perMinute;
  }

  /** Holders that are remembered. */
  get size(): number {
    return this.fullAt.size;
  }

  /** Whether the holder has no request left. Takes none. */
  isUsedUp(holder: string): boolean {
    const now = this.now();
    return Math.max(now, this.fullAt.get(holder) ?? now) + this.interval - now - MINUTE > ROUNDING;
  }

  /** Takes one request of the holder's; answers 0, or the milliseconds until there is one again. */
  take(holder: string): number {
    const now = this.now();
    this.forget(now);
    const fullAt = Math.max(now, this.fullAt.get(holder) ?? now) + this.interval;
    const missing = fullAt - now - MINUTE;
    if (missing > ROUNDING) return missing;
    // Put back at the end: the map is in the order of the last requests.
    this.fullAt.delete(holder);
    this.fullAt.set(holder, fullAt);
    if (this.fullAt.size > this.most) this.fullAt.delete(this.fullAt.keys().next().value as string);
    return 0;
  }

  /** A bucket is full at most one minute after its last request, so the buckets that were used least recently come first. */
  private forget(now: number): void {
    for (const [holder, fullAt] of this.fullAt) {
      if (fullAt > now) return;
      this.fullAt.delete(holder);
    }
  }
}
