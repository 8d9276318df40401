import type { Terms, TermsChange, Throttle } from './publication-events.ts';

export const DEFAULT_STAGE = 'api';
export const DEFAULT_THROTTLE: Throttle = { rate_limit: 50, burst_limit: 100 };

/** The complete new values of the terms named in the change. */
export function changedTerms({ throttle, ...others }: TermsChange, { throttle: before }: Terms): Partial<Terms> {
  return throttle === undefined ? others : { ...others, throttle: { ...before, ...throttle } };
}

export function sameTerms(one: Terms, other: Terms): boolean {
  const [a, b] = [one.quota, other.quota];
  const sameQuota = a === null || b === null ? a === b : a.limit === b.limit && a.offset === b.offset && a.period === b.period;
  const sameThrottle = one.throttle.rate_limit === other.throttle.rate_limit && one.throttle.burst_limit === other.throttle.burst_limit;
  return sameQuota && sameThrottle && one.allowedOrigins.join(' ') === other.allowedOrigins.join(' ');
}
