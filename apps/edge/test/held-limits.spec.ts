import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LimitedKey } from '../src/http/published/api-limits.ts';
import { MOST_KEYS } from '../src/http/published/borrowed-api-limits.ts';
import { HeldBucket } from '../src/http/published/held-bucket.ts';
import { HeldQuota } from '../src/http/published/held-quota.ts';
import type { QuotaLent, ThrottleLent } from '../src/http/published/limit-calls.ts';
import { EdgeWithLimits } from './limits-of-keys.ts';

const terms = { rate_limit: 10, burst_limit: 10 };
const lent = (more: Partial<ThrottleLent> = {}): ThrottleLent => ({
  is_known: true,
  tokens: 5,
  places: 5,
  level: 5,
  empty_millis: 0,
  usable_millis: 1_000,
  terms,
  ...more,
});

describe('a share of a throttle in an edge', () => {
  let bucket: HeldBucket;
  const borrow = (began: number, answeredAt: number, more: Partial<ThrottleLent> = {}) =>
    bucket.answered(bucket.call(1, began), lent(more), began, answeredAt);
  beforeEach(() => void (bucket = new HeldBucket()));

  it('is not used after its lease, to the millisecond', () => {
    borrow(0, 0);
    expect([bucket.admit(terms, 999, false), bucket.admit(terms, 1_000, false)]).toEqual([true, false]);
  });
  it('has a lease that starts when its call was sent, however long the answer took', () => {
    borrow(0, 900);
    expect([bucket.admit(terms, 999, false), bucket.admit(terms, 1_000, false)]).toEqual([true, false]);
  });
  it('is borrowed under a new holder ID after an answer that the ID is unknown', () => {
    const call = bucket.call(1, 0);
    bucket.answered(call, lent(), 0, 0);
    const second = bucket.call(1, 100);
    bucket.answered(second, lent({ is_known: false }), 100, 100);
    expect(bucket.admit(terms, 100, false)).toBe(false);
    const third = bucket.call(1, 200);
    expect([second.is_first, third.is_first, third.holder === call.holder]).toEqual([false, true, false]);
  });
  it('is not changed by an answer to a call under an earlier holder ID', () => {
    const late = bucket.call(1, 0);
    bucket.giveBack();
    bucket.answered(late, lent(), 0, 0);
    expect([bucket.holdsAny, bucket.admit(terms, 10, false)]).toEqual([false, false]);
  });
  it('keeps its holder ID while a request is in flight, because it occupies a slot', () => {
    borrow(0, 0);
    bucket.admit(terms, 10, false);
    const call = bucket.giveBack();
    expect([call.is_last, call.places.returned, bucket.call(0, 20).holder === call.holder]).toEqual([false, 4, true]);
    bucket.inFlight = 0;
    expect(bucket.giveBack().is_last).toBe(true);
  });
  it('does not count as empty when a renewal finds all slots in use', () => {
    borrow(0, 0, { places: 1 });
    bucket.admit(terms, 10, false);
    bucket.answered(bucket.call(0, 20), lent({ places: 1 }), 20, 20);
    expect(bucket.emptyUntil).toBe(0);
  });
  it('is renewed for requests in flight only', () => {
    borrow(0, 0);
    expect(bucket.isEnding(900, 500)).toBe(false);
    bucket.admit(terms, 10, false);
    expect([bucket.isEnding(400, 500), bucket.isEnding(900, 500)]).toEqual([false, true]);
  });
});

const quotaTerms: NonNullable<LimitedKey['quota']> = { limit: 100, period: 'DAY', offset: 0 };
const quotaLent = (more: Partial<QuotaLent> = {}): QuotaLent => ({
  is_known: true,
  granted: 4,
  limit: 100,
  left: 90,
  elsewhere: 0,
  usable_millis: 1_000,
  resets_at: 1_800_000_000,
  terms: quotaTerms,
  ...more,
});

describe('a share of a quota in an edge', () => {
  let quota: HeldQuota;
  const borrow = (began: number, more: Partial<QuotaLent> = {}) => quota.answered(quota.call(1, began), quotaLent(more), began);
  beforeEach(() => void (quota = new HeldQuota()));

  it('is not used in the next period, to the millisecond', () => {
    borrow(0);
    expect([quota.take(quotaTerms, 999, true) !== null, quota.take(quotaTerms, 1_000, true)]).toEqual([true, null]);
  });
  it('does not count as used up in the next period', () => {
    borrow(0, { granted: 0, left: 0 });
    quota.noneFor(900);
    expect([quota.isNone(quotaTerms, 999), quota.isNone(quotaTerms, 1_000)]).toEqual([true, false]);
  });
  it('is borrowed under a new holder ID in the next period', () => {
    const first = quota.call(1, 0);
    quota.answered(first, quotaLent(), 0);
    const second = quota.call(1, 1_000);
    expect([second.is_first, second.holder === first.holder, second.requests.used]).toEqual([true, false, 0]);
  });
  it('is borrowed under a new holder ID after an answer that the ID is unknown', () => {
    borrow(0);
    const second = quota.call(1, 100);
    quota.answered(second, quotaLent({ is_known: false }), 100);
    const third = quota.call(1, 200);
    expect([third.is_first, third.holder === second.holder]).toEqual([true, false]);
    expect(quota.take(quotaTerms, 200, true)).toBeNull();
  });
  it('is not changed by an answer to a call under an earlier holder ID', () => {
    const late = quota.call(1, 0);
    quota.giveBack();
    quota.answered(late, quotaLent(), 0);
    expect([quota.holdsAny, quota.take(quotaTerms, 10, true)]).toEqual([false, null]);
  });
  it('keeps its holder ID while a request is undecided, because the request may count as a use', () => {
    borrow(0);
    const share = quota.take(quotaTerms, 10, true)!;
    const call = quota.giveBack();
    expect([call.is_last, call.requests.returned, quota.holdsAny]).toEqual([false, 3, true]);
    share.keep();
    expect(quota.giveBack()).toMatchObject({ is_last: true, holder: call.holder, requests: { used: 1 } });
  });
  it('is not used by requests that know another offset', () => {
    borrow(0);
    expect([quota.knows({ ...quotaTerms, offset: 1 }, 10), quota.take(quotaTerms, 10, false)]).toEqual([false, null]);
  });
  it('is requested again as soon as an answer offers more of it', () => {
    borrow(0, { granted: 0, left: 0 });
    quota.noneFor(10);
    quota.answered(quota.call(0, 20), quotaLent({ granted: 0, left: 5 }), 20);
    expect(quota.isNone(quotaTerms, 30)).toBe(false);
  });
});

describe('the limits of keys in an edge', () => {
  let under: EdgeWithLimits;
  beforeEach(() => {
    under = new EdgeWithLimits();
    under.lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 100 }, quota: { limit: 5, period: 'DAY', offset: 0 } };
  });

  it('count a request that the throttle refuses as 429 in the usage', async () => {
    under.lender.terms = { throttle: { rate_limit: 0.001, burst_limit: 2 }, quota: null };
    expect(await under.count(5)).toBe(2);
    await under.edge.usage.flush();
    expect(under.lender.reports.map(({ counts }) => counts)).toEqual([{ '2xx': 2, '3xx': 0, '4xx': 0, '429': 3, '5xx': 0 }]);
  });
  it('report at a graceful shutdown what was not reported yet', async () => {
    await under.count(3);
    await under.edge.stop();
    expect(under.lender.reports.map(({ counts }) => counts['2xx'])).toEqual([3]);
  });
  it('return what was borrowed for a request that had already ended', async () => {
    const request = await under.admitted();
    const taking = request.takeQuota();
    request.ended(200, true);
    await taking;
    await under.edge.stop();
    expect(under.lender.quotaLeft).toBe(5);
  });
  it(`refuse further keys while ${MOST_KEYS} are in use`, async () => {
    under.lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 100 }, quota: null };
    const admissions = Array.from({ length: MOST_KEYS }, (_, index) => under.edge.admit(under.lender.key(`k${index}`)));
    expect(() => under.edge.admit(under.lender.key('one more'))).toThrow('Too many API keys are in use');
    await Promise.all(admissions);
  });
  it('borrow again while there is more, but no longer than requests may wait', async () => {
    const { lender, edge } = under;
    const { borrow } = lender;
    let calls = 0;
    lender.borrow = async (place, call) => {
      const answer = await borrow.call(lender, place, { ...call, quota: undefined } as never);
      if (!call.quota) return answer;
      calls++;
      lender.now += 100;
      // Other requests are always faster, although there is more each time.
      return { ...answer, quota: quotaLent({ granted: 0, left: 3, terms: lender.terms.quota! }) };
    };
    const request = await edge.admit(lender.key());
    calls = 0;
    expect(request.refusal === null && (await request.takeQuota())).toMatchObject({ code: 'quota_exceeded' });
    expect(calls).toBeGreaterThan(5);
    expect(calls).toBeLessThan(30);
  });
  it('use a quota until the end of its period counted from when the call was sent, however long the answer took', async () => {
    const { lender, edge } = under;
    lender.borrow = async () => {
      lender.now += 900;
      return { throttle: lent({ usable_millis: 100_000 }), quota: quotaLent({ terms: lender.terms.quota! }) };
    };
    const request = await edge.admit({ ...lender.key(), throttle: terms });
    if (request.refusal) throw request.refusal;
    lender.now = 999;
    expect(request.takeQuota()).toBeNull();
    lender.now = 1_000;
    expect(request.takeQuota()).toBeInstanceOf(Promise);
  });
  it('try to borrow twice if nothing is left, and then refuse', async () => {
    const { lender, edge } = under;
    let calls = 0;
    lender.borrow = async (_, call) => {
      if (call.quota) calls++;
      return { throttle: call.throttle ? lent() : null, quota: quotaLent({ granted: 0, left: 0, terms: lender.terms.quota! }) };
    };
    const request = await edge.admit({ ...lender.key(), throttle: terms });
    calls = 0;
    expect(request.refusal === null && (await request.takeQuota())).toMatchObject({ code: 'quota_exceeded' });
    expect(calls).toBe(2);
  });
});
