const MINUTE = 60_000;

/** Half a nanosecond: the rounding error of sums of fractions of a millisecond. */
const ROUNDING = 5e-7;

/**
 * A token bucket for each client (a user or an address). It holds `perMinute` requests, and is refilled at the same number per minute. It is
 * stored as the time at which it is full again, and removed after that time. With more than `most` clients, the least recently used bucket is
 * removed, so its client has a full bucket again.
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

  /** Removes full buckets, from the least recently used. A bucket is full at most one minute after its last request. */
  private forget(now: number): void {
    for (const [client, fullAt] of this.fullAt) {
      if (fullAt > now) return;
      this.fullAt.delete(client);
    }
  }
}
