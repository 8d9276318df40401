import { setTimeout as pause } from 'node:timers/promises';
import { Refusal, refuse } from '@parlance/decider';
import type { HeldShare } from '@parlance/limits';
import { type Admitted, ApiLimits, type LimitedKey, type RateLimitHeaders, type Throttled } from './api-limits.ts';
import { ApiUsage } from './api-usage.ts';
import { KeyAccount } from './key-account.ts';
import type { LimitCalls } from './limit-calls.ts';

/** The most keys in use at the same time. Requests with further keys are refused until some are idle. */
export const MOST_KEYS = 20_000;
/** How many times a request borrows again if other requests use up what it waited for. After that it is refused. */
const ATTEMPTS = 5;
/** How long a request waits for other edges to return unused requests when the rest of a quota is lent to them. */
const WAIT_MILLIS = 2_000;
const WAIT_STEP_MILLIS = 200;
/** With a burst this small, slots are returned when the last request ends, because another edge may need them. */
const SMALL_BURST = 8;
/** The most concurrent calls about idle keys. */
const SETTLED_AT_ONCE = 8;

/**
 * The limits of keys, by shares that are borrowed from the publication service. The usual request makes no call and allocates one object.
 * Measured: 0.3 µs to admit a request, take its quota, build its headers and end it.
 */
export class BorrowedApiLimits extends ApiLimits {
  private readonly accounts = new Map<string, KeyAccount>();
  readonly usage: ApiUsage;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(
    private readonly calls: LimitCalls,
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (millis: number) => Promise<unknown> = pause,
  ) {
    super();
    this.usage = new ApiUsage(calls);
  }

  override admit(key: LimitedKey): Admitted | Throttled | Promise<Admitted | Throttled> {
    const now = this.now();
    const account = this.accounts.get(key.keyId) ?? this.open(key);
    if (account.admit(key, now, false)) return new AdmittedRequest(this, account, key);
    return this.throttled(account, key, now) ?? this.admitLater(account, key);
  }

  /** The number of keys for which this edge holds a share. */
  get size(): number {
    return this.accounts.size;
  }

  /** Returns idle shares. Called by a timer. If the publication service does not answer, the next run continues. */
  async settle(): Promise<void> {
    const now = this.now();
    let isAway = false;
    await this.each(async (keyId, account) => {
      if (isAway) return;
      try {
        if (await account.settle(now)) this.accounts.delete(keyId);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.kind === 'missing') this.accounts.delete(keyId);
        else isAway = true;
      }
    });
  }

  /** Returns all shares and reports the usage at a graceful shutdown, after the last request. */
  async stop(): Promise<void> {
    await this.each((_, account) => account.close().catch(() => undefined));
    await this.usage.stop().catch(() => undefined);
  }

  /** Called when a request has ended. */
  ended(account: KeyAccount): void {
    const { bucket } = account;
    bucket.inFlight--;
    if (bucket.inFlight > 0 || (bucket.terms?.burst_limit ?? 0) > SMALL_BURST) return;
    account.settle(this.now(), 0).catch(() => undefined);
  }

  /** The share that one use was taken from, the refusal `quota_exceeded`, or null if there is no quota. */
  takeQuota(account: KeyAccount, key: LimitedKey): HeldShare | Refusal | null | Promise<HeldShare | Refusal | null> {
    if (key.quota === null) return null;
    const now = this.now();
    const share = account.quota.take(key.quota, now, false);
    if (share) return share;
    return account.quota.isNone(key.quota, now) ? account.quota.exceeded() : this.takeLater(account, key, key.quota, now + WAIT_MILLIS);
  }

  headersOf({ bucket, quota }: KeyAccount, key: LimitedKey): RateLimitHeaders {
    return (key.quota && quota.headers()) ?? bucket.headers(key.throttle, this.now());
  }

  private open(key: LimitedKey): KeyAccount {
    if (this.accounts.size >= MOST_KEYS)
      throw refuse('unavailable', 'limits_busy', 'Too many API keys are in use. Try again in a second.', { retry_after: 1 });
    const account = new KeyAccount({ keyId: key.keyId, botId: key.botId, apiId: key.apiId }, this.calls, this.now);
    this.accounts.set(key.keyId, account);
    return account;
  }

  private async admitLater(account: KeyAccount, key: LimitedKey): Promise<Admitted | Throttled> {
    account.arriving++;
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        await account.borrow(key, 'requests');
        const now = this.now();
        // The first call may have begun before this request, with terms that have changed since.
        if (account.admit(key, now, attempt > 1)) return new AdmittedRequest(this, account, key);
        const throttled = this.throttled(account, key, now);
        if (throttled) return throttled;
      }
      return this.refused(account, key, 1);
    } finally {
      account.arriving--;
    }
  }

  private throttled(account: KeyAccount, key: LimitedKey, now: number): Throttled | null {
    const { bucket } = account;
    if (bucket.emptyUntil <= now || !bucket.hasTerms(key.throttle)) return null;
    return this.refused(account, key, (bucket.emptyUntil - now) / 1_000);
  }

  private refused(account: KeyAccount, key: LimitedKey, seconds: number): Throttled {
    this.usage.note(key, 429);
    const { rate_limit, burst_limit } = key.throttle;
    const refusal = refuse(
      'limited',
      'throttled',
      `Too many requests: this API key allows ${rate_limit} a second, and ${burst_limit} at once.`,
      { retry_after: seconds },
    );
    return { refusal, headers: this.headersOf(account, key) };
  }

  private async takeLater(account: KeyAccount, key: LimitedKey, terms: NonNullable<LimitedKey['quota']>, until: number) {
    for (let attempt = 1; ;) {
      await account.borrow(key, 'quota');
      const now = this.now();
      const { quota } = account;
      const share = quota.take(terms, now, attempt > 1);
      if (share || quota.isAbsent) return share;
      // The call may have begun before this request, and requested too little.
      if (attempt++ === 1 || (quota.hasMore && now < until)) continue;
      if (!quota.mayComeBack || now >= until) {
        quota.noneFor(now);
        return quota.exceeded();
      }
      await this.wait(WAIT_STEP_MILLIS);
    }
  }

  private async each(work: (keyId: string, account: KeyAccount) => Promise<unknown>): Promise<void> {
    const entries = this.accounts.entries();
    const lane = async () => {
      for (const [keyId, account] of entries) await work(keyId, account);
    };
    await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, lane));
  }
}

const isGivenBack = (status: number, mayBeUse: boolean): boolean => !mayBeUse || (status >= 400 && status < 500);

class AdmittedRequest implements Admitted {
  readonly refusal = null;
  /** The shares that uses were taken from: one for each tool call. */
  private readonly taken: HeldShare[] = [];
  private isOver = false;

  constructor(
    private readonly limits: BorrowedApiLimits,
    private readonly account: KeyAccount,
    private readonly key: LimitedKey,
  ) {}

  get headers(): RateLimitHeaders {
    return this.limits.headersOf(this.account, this.key);
  }

  headersAfter(status: number, mayBeUse: boolean): RateLimitHeaders {
    const { headers } = this;
    const back = !this.isOver && isGivenBack(status, mayBeUse) ? this.taken.length : 0;
    return back === 0 ? headers : { ...headers, remaining: Math.min(headers.limit, headers.remaining + back) };
  }

  takeQuota(): Refusal | null | Promise<Refusal | null> {
    const outcome = this.limits.takeQuota(this.account, this.key);
    return outcome instanceof Promise ? outcome.then((later) => this.take(later)) : this.take(outcome);
  }

  ended(status: number, mayBeUse: boolean): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    const isBack = isGivenBack(status, mayBeUse);
    for (const share of this.taken) {
      if (isBack) share.giveBack();
      else share.keep();
      this.account.quota.isDirty = true;
    }
    if (isBack && this.taken.length > 0) this.account.quota.refunded();
    this.limits.usage.note(this.key, status);
    this.limits.ended(this.account);
    return !isBack;
  }

  private take(outcome: HeldShare | Refusal | null): Refusal | null {
    if (outcome === null || outcome instanceof Refusal) return outcome;
    // The answer had ended before the quota arrived, so no service received the request.
    if (this.isOver) outcome.giveBack();
    else this.taken.push(outcome);
    return null;
  }
}
