/** For so long after it sent a poll that was answered, a watcher goes by its own copy. */
export const LEASE_MS = 2_000;

/** What is waited beyond a lease, because the clocks of two machines don't run alike. */
export const MARGIN_MS = 500;

/** How long a poll waits for news at most: well below the lease, so that one slow answer does no harm. */
export const LONGEST_WAIT_MS = 700;

/** How far the times of day of two machines may be apart: for so long a revocation is kept past the last token's end. */
export const CLOCKS_APART_MS = 10 * 60_000;

/** What a watcher says it has seen that has stopped: there is nothing left that it could miss. */
export const GONE = Number.MAX_SAFE_INTEGER;
