import { type Refusal, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { HeldShare, Pace } from '@parlance/limits';
import type { LimitedKey, RateLimitHeaders } from './api-limits.ts';
import type { QuotaCall, QuotaLent, ShareCall } from './limit-calls.ts';

type Quota = NonNullable<LimitedKey['quota']>;

/**
 * A small share of a large remaining quota may stay here unused for this long, so that a quiet key is not lent and returned on each
 * request.
 */
const KEPT_MILLIS = 30_000;
const PLENTY_PART = 4;
const SMALL_PART = 64;
/** When nothing is left, the publication service is asked again after this time, because other edges may have returned unused requests. */
const NONE_MILLIS = 1_000;

/** This edge's share of one key's quota. Times are of a monotonic clock. */
export class HeldQuota {
  private holder = newId();
  private isFirst = true;
  private share = new HeldShare();
  /** The numbers that the last call reported. */
  private report = this.share.report;
  private readonly pace = new Pace();
  /** Null before the first answer, and while the publication has no quota. */
  private facts: QuotaLent | null = null;
  /** The end of the period. */
  private usableUntil = 0;
  private noneUntil = 0;
  /** Whether requests were used that were not reported to the publication service yet. */
  isDirty = false;
  /** Whether a refused request has returned its use to this share. Other edges count it as used until this edge returns it. */
  private hasRefund = false;
  /** What the share had returned when `facts` were reported. */
  private returnedBefore = 0;

  /** The share that one use was taken from; null if nothing is left in this edge, or the terms have changed. */
  take(terms: Quota, now: number, isAsked: boolean): HeldShare | null {
    if (!isAsked) this.knows(terms, now);
    if (now >= this.usableUntil || !this.share.take()) return null;
    this.isDirty = true;
    return this.share;
  }

  /** Like `isCurrent`. A share lent under other terms is no longer used, and the next call returns it. */
  knows(terms: Quota, now: number): boolean {
    const isCurrent = this.isCurrent(terms, now);
    if (!isCurrent && this.share.available > 0) {
      this.share.keepOnly(0);
      this.isDirty = true;
    }
    return isCurrent;
  }

  /** Whether the limits belong to the current period and to the terms that the request knows. */
  private isCurrent({ limit, period, offset }: Quota, now: number): boolean {
    const terms = this.facts?.terms;
    return now < this.usableUntil && terms?.limit === limit && terms.period === period && terms.offset === offset;
  }

  /** Whether the publication no longer has a quota. */
  get isAbsent(): boolean {
    return this.facts === null;
  }

  /** Whether there was more to lend than the last call requested. */
  get hasMore(): boolean {
    return (this.facts?.left ?? 0) > 0;
  }

  /** Whether other edges may return unused requests. */
  get mayComeBack(): boolean {
    return this.share.available < 1 && (this.facts?.elsewhere ?? 0) > 0;
  }

  get holdsAny(): boolean {
    return this.share.available > 0 || this.share.undecided > 0;
  }

  /** Whether the share has a use that no request has taken. */
  get hasIdle(): boolean {
    return this.share.available > 0;
  }

  isNone(terms: Quota, now: number): boolean {
    return now < this.noneUntil && this.isCurrent(terms, now);
  }

  noneFor(now: number): void {
    this.noneUntil = now + NONE_MILLIS;
  }

  refunded(): void {
    this.hasRefund = true;
  }

  mayBeKept(idleMillis: number): boolean {
    if (this.hasRefund) return false;
    const { left, limit } = this.facts ?? { left: 0, limit: 0 };
    const isSmall = left * PLENTY_PART >= limit && this.share.available * SMALL_PART <= left;
    return isSmall && idleMillis < KEPT_MILLIS;
  }

  /** Borrows for waiting requests, or if the share is used up. */
  call(waiting: number, now: number): QuotaCall {
    if (!this.isFirst && now >= this.usableUntil) this.begin();
    const isUsedUp = this.isDirty && this.share.available < 1;
    const wanted = waiting > 0 || isUsedUp ? Math.max(waiting, this.pace.next(now)) : 0;
    // Otherwise only the numbers are requested. Without news to report, the publication service writes no event.
    return wanted > 0 ? this.reportingCall(false, { needed: waiting, wanted }) : this.callWith(false, { needed: 0, wanted });
  }

  /** Returns the uses that no request has taken. */
  giveBack(): QuotaCall {
    this.hasRefund = false;
    this.share.keepOnly(0);
    const isLast = this.share.undecided === 0;
    const call = this.reportingCall(isLast, { needed: 0, wanted: 0 });
    if (isLast) {
      // The share has ended before the answer arrived.
      if (this.facts) this.facts = { ...this.facts, left: this.left(this.facts) };
      this.begin();
    }
    return call;
  }

  answered({ holder, requests }: QuotaCall, lent: QuotaLent | null, began: number): void {
    if (holder !== this.holder) return;
    this.facts = lent;
    if (!lent) return;
    this.returnedBefore = requests.returned;
    // The limit was raised, or another edge returned unused requests.
    if (lent.left > 0) this.noneUntil = 0;
    if (!lent.is_known) this.begin();
    else if (lent.granted > 0) this.isFirst = false;
    this.share.lent(lent.is_known ? lent.granted : 0);
    this.usableUntil = began + lent.usable_millis;
  }

  headers(): RateLimitHeaders | null {
    if (!this.facts) return null;
    const { limit, resets_at } = this.facts;
    return { limit, remaining: Math.max(0, this.left(this.facts) + this.share.available), reset: resets_at };
  }

  /** The uses that are left, including those that a call in progress returns: an answer must not wait for that call. */
  private left({ left }: QuotaLent): number {
    return left + this.share.report.returned - this.returnedBefore;
  }

  exceeded(): Refusal {
    const { limit, resets_at, terms } = this.facts!;
    const adverb = { DAY: 'daily', WEEK: 'weekly', MONTH: 'monthly' }[terms.period];
    const seconds = Math.max(1, resets_at - Math.floor(Date.now() / 1_000));
    const at = new Date(resets_at * 1_000).toISOString();
    const use = this.mayComeBack ? 'is used up, or reserved for requests in progress' : 'is used up';
    return refuse(
      'limited',
      'quota_exceeded',
      `The ${adverb} quota of this API key, ${limit} requests, ${use}. It starts again at ${at}.`,
      {
        retry_after: this.mayComeBack ? Math.min(seconds, NONE_MILLIS / 1_000) : seconds,
        resets_at,
      },
    );
  }

  private reportingCall(isLast: boolean, wish: Pick<ShareCall, 'needed' | 'wanted'>): QuotaCall {
    this.isDirty = false;
    this.report = this.share.report;
    return this.callWith(isLast, wish);
  }

  private callWith(isLast: boolean, wish: Pick<ShareCall, 'needed' | 'wanted'>): QuotaCall {
    return { holder: this.holder, is_first: this.isFirst, is_last: isLast, requests: { ...this.report, ...wish } };
  }

  private begin(): void {
    this.holder = newId();
    this.isFirst = true;
    this.share = new HeldShare();
    this.report = this.share.report;
    this.returnedBefore = 0;
    this.usableUntil = 0;
  }
}
