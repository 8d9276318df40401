/** How long a worker has for a reply before another may take it over. A worker that is still writing renews its lease. */
export const LEASE_MILLIS = 10_000;
