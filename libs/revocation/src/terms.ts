/** A watcher's copy is valid for this long after the watcher sent a poll that was answered. */
export const LEASE_MS = 2_000;

/** The additional wait after a lease, because the clocks of two machines do not run at the same speed. */
export const MARGIN_MS = 500;

/** The longest wait of a poll for changes. It is well below the lease, so that one slow answer does no harm. */
export const LONGEST_WAIT_MS = 700;

/** The largest difference between the times of day of two machines. A revocation is kept for this long after the last token has expired. */
export const CLOCKS_APART_MS = 10 * 60_000;

/** The seen position of a stopped watcher, for which no revocation has to wait. */
export const GONE = Number.MAX_SAFE_INTEGER;
