export interface Terms {
  /** A watcher's copy is valid for this long after the watcher sent a poll that was answered. The owner's lease is never shorter than a watcher's. */
  readonly leaseMs: number;
  /** The longest wait of a poll for changes. It is well below the lease, so that one slow answer does no harm. */
  readonly waitMs: number;
  /** The same while the watcher is not asked for anything. Its copy is stale most of that time, and is fresh again soon after it was needed. */
  readonly idleWaitMs: number;
}

export const OVER_THE_NETWORK: Terms = { leaseMs: 2_000, waitMs: 700, idleWaitMs: 5_000 };

/** An owner and a watcher in one process cannot lose each other. Changes end the wait at once, so the terms only limit how often the process wakes up. */
export const IN_ONE_PROCESS: Terms = { leaseMs: 15_000, waitMs: 5_000, idleWaitMs: 5_000 };

/** A watcher that was not asked for anything for this long is idle. */
export const IDLE_AFTER_MS = 10_000;

/** The additional wait after a lease, because the clocks of two machines do not run at the same speed. */
export const MARGIN_MS = 500;

/** The largest difference between the times of day of two machines. A revocation is kept for this long after the last token has expired. */
export const CLOCKS_APART_MS = 10 * 60_000;

/** The seen position of a stopped watcher, for which no revocation has to wait. */
export const GONE = Number.MAX_SAFE_INTEGER;
