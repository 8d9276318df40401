import { type Refusal, refuse } from '@parlance/decider';
import { afterReport, type Bucket, callBucket, grantOf, NO_SHARE, type Share, takenOf, unusedOf } from '@parlance/limits';
import type { Admitted, LimitedKey } from '../src/http/published/api-limits.ts';
import { BorrowedApiLimits } from '../src/http/published/borrowed-api-limits.ts';
import { type KeyReference, type Lent, type LimitCall, LimitCalls, type UsageReport } from '../src/http/published/limit-calls.ts';

/** A stand-in for the publication service, with one key. The rules of the quota have specs in that service. */
export class Lender extends LimitCalls {
  now = 0;
  isAway = false;
  terms: Pick<LimitedKey, 'throttle' | 'quota'> = { throttle: { rate_limit: 10, burst_limit: 10 }, quota: null };
  readonly calls: LimitCall[] = [];
  readonly reports: UsageReport[] = [];
  private readonly buckets = new Map<string, Bucket | null>();
  shares: Record<string, Share> = {};
  private settled = 0;

  override async borrow({ keyId }: KeyReference, call: LimitCall): Promise<Lent> {
    await new Promise(setImmediate);
    if (this.isAway)
      throw refuse('unavailable', 'service_unavailable', 'The service publication cannot be reached now.', { retry_after: 5 });
    this.calls.push(call);
    return { throttle: call.throttle ? this.throttleOf(keyId, call.throttle) : null, quota: call.quota ? this.quotaOf(call.quota) : null };
  }

  override async report(_: string, reports: readonly UsageReport[]): Promise<void> {
    if (this.isAway) throw refuse('unavailable', 'service_unavailable', 'The service publication cannot be reached now.');
    this.reports.push(...reports);
  }

  /** Adds an edge, with the lender's clock. */
  edge(): BorrowedApiLimits {
    return new BorrowedApiLimits(
      this,
      () => this.now,
      async (millis) => {
        this.now += millis;
        await new Promise(setImmediate);
      },
    );
  }

  /** How much of the quota can be lent. */
  get quotaLeft(): number {
    return Object.values(this.shares).reduce((left, share) => left - takenOf(share), (this.terms.quota?.limit ?? 0) - this.settled);
  }

  key(keyId = 'k1'): LimitedKey {
    return { keyId, botId: 'b', apiId: 'a', ...this.terms };
  }

  private throttleOf(keyId: string, { holder, is_first, is_last, tokens, places }: NonNullable<LimitCall['throttle']>): Lent['throttle'] {
    const { rate_limit: rate, burst_limit: burst } = this.terms.throttle;
    const call = { holder, isFirst: is_first, isLast: is_last, tokens, places };
    const { bucket, answer } = callBucket(this.buckets.get(keyId) ?? null, { rate, burst }, call, this.now);
    this.buckets.set(keyId, bucket);
    const { isKnown, emptyMillis, ...others } = answer;
    return { is_known: isKnown, empty_millis: emptyMillis, usable_millis: 10_000, terms: this.terms.throttle, ...others };
  }

  private quotaOf({ holder, is_first, is_last, requests }: NonNullable<LimitCall['quota']>): Lent['quota'] {
    const { quota } = this.terms;
    if (!quota) return null;
    const { [holder]: mine = NO_SHARE, ...others } = this.shares;
    const reported = afterReport(mine, requests);
    const taken = this.settled + Object.values(others).reduce((sum, share) => sum + takenOf(share), takenOf(reported));
    const granted = reported.granted + (is_last ? 0 : grantOf(quota.limit - taken, requests));
    if (is_last) this.settled += takenOf(reported);
    this.shares = is_last ? others : { ...others, [holder]: { ...reported, granted } };
    return {
      is_known: mine !== NO_SHARE || is_first,
      granted,
      limit: quota.limit,
      left: Math.max(0, quota.limit - taken - (granted - reported.granted)),
      elsewhere: Object.values(others).reduce((sum, share) => sum + unusedOf(share), 0),
      usable_millis: 86_400_000 - this.now,
      resets_at: Math.floor(Date.now() / 1_000) + 3_600,
      terms: quota,
    };
  }
}

/** One edge, and helpers that send requests to it. */
export class EdgeWithLimits {
  readonly lender = new Lender();
  readonly edge = this.lender.edge();

  /** Throws the refusal of the throttle. */
  async admitted(at = this.edge): Promise<Admitted> {
    const answer = await at.admit(this.lender.key());
    if (answer.refusal) throw answer.refusal;
    return answer;
  }

  /** Sends requests at once, and returns how many are admitted. */
  async count(times: number, at = this.edge): Promise<number> {
    const answers = await Promise.all(Array.from({ length: times }, () => at.admit(this.lender.key())));
    const through = answers.filter(({ refusal }) => refusal === null) as Admitted[];
    for (const request of through) request.ended(200, true);
    return through.length;
  }

  /** Sends requests until the edge borrows shares that last for a second, because shares double in size. */
  async warm(): Promise<void> {
    for (let n = 0; n < 256; n++) await this.count(1);
  }

  /** Sends a request that begins work. The code of the refusal, or null. */
  async post(at = this.edge, status = 200): Promise<string | null> {
    const request = await this.admitted(at);
    const refusal = await request.takeQuota();
    request.ended(refusal ? 429 : status, true);
    this.lender.now += 1_000;
    return codeOf(refusal);
  }
}

export const codeOf = (refusal: Refusal | null): string | null => refusal?.code ?? null;
