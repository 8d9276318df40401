import type { Refusal } from '@parlance/decider';

/** A key of a published bot with the terms of its publication, as this edge knows them. */
export interface LimitedKey {
  readonly keyId: string;
  readonly botId: string;
  readonly apiId: string;
  readonly throttle: { readonly rate_limit: number; readonly burst_limit: number };
  readonly quota: { readonly limit: number; readonly period: 'DAY' | 'WEEK' | 'MONTH'; readonly offset: number } | null;
}

/** The `X-RateLimit-…` headers: of the quota if there is one, otherwise of the throttle. */
export interface RateLimitHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly reset: number;
}

/** A request that the throttle admitted. It counts as concurrent until `ended` is called. */
export interface Admitted {
  readonly refusal: null;
  readonly headers: RateLimitHeaders;
  /** The headers after an answer with this status, including the use of the quota that `ended` returns for it. */
  headersAfter(status: number, mayBeUse: boolean): RateLimitHeaders;
  /** Takes one use from the quota, for a request that begins work. Returns the refusal `quota_exceeded` (limited), or null. */
  takeQuota(): Refusal | null | Promise<Refusal | null>;
  /**
   * The answer is over, with this status. The request counts under its status. What it took from the quota is given back if the answer is
   * 4xx, or if the request cannot be a use (`mayBeUse`): no service received it, its answer was replayed, or it repeats a request that was
   * a use. Returns whether it was a use of the quota.
   */
  ended(status: number, mayBeUse: boolean): boolean;
}

/** `throttled` (limited), with `retry_after`. */
export interface Throttled {
  readonly refusal: Refusal;
  readonly headers: RateLimitHeaders;
}

/** The limits of the keys of published bots, across all edges. */
export abstract class ApiLimits {
  /** Answers at once if this edge has what it needs. Rejects with `unavailable` if the publication service does not answer. */
  abstract admit(key: LimitedKey): Admitted | Throttled | Promise<Admitted | Throttled>;
}
