import { Instant } from './instant.ts';

/**
 * Longer than any lease, and than any pause that is recorded as one: runs of knowledge pause for at most 8 minutes. The rest is for clocks
 * that differ.
 */
export const LONGEST_LEASE_MILLIS = 900_000;

/**
 * Whether work is leased until this time. A lease that ends later than any lease can was taken while a clock was ahead, and does not count:
 * otherwise nobody could take the work until that time.
 */
export const isLeased = (until: Instant | null | undefined, now: Instant, longest = LONGEST_LEASE_MILLIS): boolean =>
  until != null && until > now && until <= Instant.plus(now, longest);
