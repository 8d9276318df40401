const MINUTE = 60_000;

/** Half a nanosecond: the rounding error of sums of fractions of a millisecond. */
const ROUNDING = 5e-7;

/**
 * A token bucket for each client, a user or an address: `perMinute` requests at once, and as many per minute. The bucket is stored as the
 * time at which it is full again, and removed after that time. With more than `most` clients, the least recently used bucket is removed:
 * that client then has a full bucket again.
 */
export class RequestLimit {
  private readonly fullAt = new Map<string, number>();
  private readonly interval: number;

  constructor(
    perMinute: number,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
    private readonly most = 50_000,
  ) {
    this.interval = MINUTE / perMinute;
  }

  /** The number of remembered clients. */
  get size(): number {
    return this.fullAt.size;
  }

  /** Whether the client has no request left. Does not take one. */
  isUsedUp(client: string): boolean {
    const now = this.now();
    return Math.max(now, this.fullAt.get(client) ?? now) + this.interval - now - MINUTE > ROUNDING;
  }

  /** Takes one of the client's requests. Returns 0, or the milliseconds until one is available. */
  take(client: string): number {
    const now = this.now();
    this.forget(now);
    const fullAt = Math.max(now, this.fullAt.get(client) ?? now) + this.interval;
    const missing = fullAt - now - MINUTE;
    if (missing > ROUNDING) return missing;
    // Moved to the end: the map is in the order of the last requests.
    this.fullAt.delete(client);
    this.fullAt.set(client, fullAt);
    if (this.fullAt.size > this.most) this.fullAt.delete(this.fullAt.keys().next().value as string);
    return 0;
  }

  /** A bucket is full at most one minute after its last request, so the least recently used buckets come first. */
  private forget(now: number): void {
    for (const [client, fullAt] of this.fullAt) {
      if (fullAt > now) return;
      this.fullAt.delete(client);
    }
  }
}
