import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Refusal } from '@parlance/decider';
import fc from 'fast-check';
import type { Admitted } from '../src/http/published/api-limits.ts';
import type { BorrowedApiLimits } from '../src/http/published/borrowed-api-limits.ts';
import { codeOf, EdgeWithLimits, type Lender } from './limits-of-keys.ts';

describe('the quota of API keys in an edge', () => {
  let under: EdgeWithLimits;
  let lender: Lender;
  let edge: BorrowedApiLimits;
  beforeEach(() => {
    under = new EdgeWithLimits();
    ({ lender, edge } = under);
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 100 }, quota: { limit: 5, period: 'DAY', offset: 0 } };
  });

  it('admits exactly the limit, wherever the requests go', async () => {
    const edges = [edge, lender.edge(), lender.edge()];
    const codes = [];
    for (let n = 0; n < 12; n++) {
      codes.push(await under.post(edges[n % 3]));
      for (const each of edges) await each.settle();
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => null), ...Array.from({ length: 7 }, () => 'quota_exceeded')]);
  });
  it("loses nothing when a request arrives while a key's last share is returned", async () => {
    for (let n = 0; n < 5; n++) {
      const settling = edge.settle();
      const request = edge.admit(lender.key());
      await settling;
      expect(await ((await request) as Admitted).takeQuota()).toBeNull();
      ((await request) as Admitted).ended(200, true);
      expect(edge.size).toBe(1);
      lender.now += 3_000;
    }
    await edge.settle();
    lender.terms = { ...lender.terms, quota: { limit: 10, period: 'DAY', offset: 0 } };
    for (let n = 0; n < 5; n++) expect(await under.post(lender.edge())).toBeNull();
  });
  it('admits exactly what a higher limit adds, even right after a refusal', async () => {
    const burst = async () => {
      const requests = await Promise.all(Array.from({ length: 60 }, () => under.admitted()));
      const refusals = await Promise.all(requests.map((request) => request.takeQuota()));
      for (const [index, request] of requests.entries()) request.ended(refusals[index] ? 429 : 200, refusals[index] === null);
      return refusals.filter((refusal) => refusal === null).length;
    };
    lender.terms = { ...lender.terms, throttle: { rate_limit: 1_000, burst_limit: 1_000 } };
    expect(await burst()).toBe(5);
    lender.terms = { ...lender.terms, quota: { limit: 30, period: 'DAY', offset: 0 } };
    expect(await burst()).toBe(25);
  });
  it('reports all usage before the key is forgotten', async () => {
    lender.terms = { ...lender.terms, quota: { limit: 1_000, period: 'DAY', offset: 0 } };
    for (let n = 0; n < 15; n++) await under.post();
    const steps: number[] = [];
    for (let n = 0; n < 60 && edge.size > 0; n++) {
      await edge.settle();
      steps.push(1_000 - lender.quotaLeft);
      lender.now += 1_000;
    }
    expect([edge.size, steps.at(-1), Object.keys(lender.shares)]).toEqual([0, 15, []]);
  });
  it('waits for idle edges to return their shares', async () => {
    lender.terms = { ...lender.terms, quota: { limit: 2, period: 'DAY', offset: 0 } };
    const other = lender.edge();
    const [first, second] = [await under.admitted(other), await under.admitted(other)];
    await Promise.all([first.takeQuota(), second.takeQuota()]);
    first.ended(400, true);
    second.ended(200, true);
    const request = await under.admitted();
    const taking = request.takeQuota();
    await other.settle();
    for (let n = 0; n < 20; n++) {
      lender.now += 50;
      await other.settle();
      await new Promise(setImmediate);
    }
    expect(await taking).toBeNull();
  });
  it('gets a use back for an answer of 4xx, and for no other answer', async () => {
    for (let n = 0; n < 20; n++) expect(await under.post(edge, 404)).toBeNull();
    for (let n = 0; n < 5; n++) expect(await under.post(edge, n % 2 === 0 ? 200 : 500)).toBeNull();
    expect(await under.post()).toBe('quota_exceeded');
  });
  it('gets back each use that a request took, if no service received the request', async () => {
    for (let n = 0; n < 4; n++) {
      const request = await under.admitted();
      for (let calls = 0; calls < 5; calls++) expect(await request.takeQuota()).toBeNull();
      request.ended(503, false);
      lender.now += 1_000;
    }
    const batch = await under.admitted();
    for (let calls = 0; calls < 3; calls++) await batch.takeQuota();
    batch.ended(200, true);
    expect([await under.post(), await under.post(), await under.post()]).toEqual([null, null, 'quota_exceeded']);
  });
  it('reports when the next period starts, and makes no call for a while', async () => {
    for (let n = 0; n < 5; n++) await under.post();
    const refused = await (await under.admitted()).takeQuota();
    expect(refused).toMatchObject({
      kind: 'limited',
      code: 'quota_exceeded',
      message: expect.stringMatching(/^The daily quota of this API key, 5 requests, is used up\. It starts again at /),
      facts: { resets_at: expect.any(Number), retry_after: expect.any(Number) },
    });
    const borrowed = () => lender.calls.filter(({ quota }) => (quota?.requests.needed ?? 0) > 0).length;
    const before = borrowed();
    const again = await under.admitted();
    expect(codeOf(again.takeQuota() as Refusal)).toBe('quota_exceeded');
    expect(borrowed()).toBe(before);
  });
  it('is not used by requests that begin no work, but is in their headers', async () => {
    await under.post();
    const read = await under.admitted();
    expect(read.headers).toMatchObject({ limit: 5, remaining: 4 });
    read.ended(200, true);
    expect((await under.admitted()).headers).toMatchObject({ remaining: 4 });
  });
  it('is in the headers, including the use that the answer returns', async () => {
    const request = await under.admitted();
    const left = (status: number, hasReachedService: boolean) => request.headersAfter(status, hasReachedService).remaining;
    await request.takeQuota();
    await request.takeQuota();
    expect([left(200, true), left(500, true), left(404, true), left(429, false), left(503, false)]).toEqual([3, 3, 5, 5, 5]);
    request.ended(404, true);
    expect([left(404, true), (await under.admitted()).headers.remaining]).toEqual([5, 5]);
  });
  it('is exact in the headers, even while a share is being returned', async () => {
    const step = fc.oneof(
      fc.constant('begin' as const),
      fc.record({ nth: fc.nat(2), status: fc.constantFrom(200, 404, 500) }),
      fc.record({ millis: fc.constantFrom(0, 250, 5_000), isWaitedFor: fc.boolean() }),
    );
    const runs = fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(8, 100), async (steps, burst_limit) => {
      const one = new EdgeWithLimits();
      one.lender.terms = { throttle: { rate_limit: 1_000, burst_limit }, quota: { limit: 200, period: 'DAY', offset: 0 } };
      const open: Admitted[] = [];
      let used = 0;
      for (const each of steps) {
        one.lender.now += 20;
        if (each === 'begin') {
          if (open.length === 3) continue;
          const request = await one.admitted();
          await request.takeQuota();
          open.push(request);
        } else if ('nth' in each) {
          const [request] = open.splice(each.nth, 1);
          request?.ended(each.status, true);
          if (request && each.status !== 404) used++;
        } else {
          one.lender.now += each.millis;
          const settling = one.edge.settle();
          if (each.isWaitedFor) await settling;
        }
        const read = open.at(-1) ?? (await one.admitted());
        expect(read.headers.remaining).toBe(200 - used - open.length);
        if (open.length === 0) read.ended(200, true);
      }
      await one.edge.stop();
    });
    await fc.assert(runs, { numRuns: 200 });
  });
  it('is exact at other edges as soon as an edge that refused a request is idle', async () => {
    lender.terms = { ...lender.terms, quota: { limit: 1_000, period: 'DAY', offset: 0 } };
    const request = await under.admitted();
    await request.takeQuota();
    request.ended(404, true);
    lender.now += 1_000;
    await edge.settle();
    expect((await under.admitted(lender.edge())).headers.remaining).toBe(1_000);
  });
  it('applies changed terms from the next request on', async () => {
    lender.terms = { ...lender.terms, quota: { limit: 50, period: 'DAY', offset: 0 } };
    const requests = await Promise.all(Array.from({ length: 6 }, () => under.admitted()));
    await Promise.all(requests.map((request) => request.takeQuota()));
    for (const [n, request] of requests.entries()) request.ended(n === 0 ? 200 : 400, true);
    lender.terms = { ...lender.terms, quota: { limit: 1, period: 'DAY', offset: 0 } };
    expect(await under.post()).toBe('quota_exceeded');
    lender.terms = { ...lender.terms, quota: null };
    expect(await under.post()).toBeNull();
  });
  it('is returned after a change of its terms, even if only reads follow', async () => {
    const request = await under.admitted();
    await request.takeQuota();
    request.ended(400, true);
    lender.terms = { ...lender.terms, quota: { limit: 1, period: 'DAY', offset: 0 } };
    (await under.admitted()).ended(200, true);
    lender.now += 3_000;
    await edge.settle();
    expect(await under.post(lender.edge())).toBeNull();
  });
  it('is returned at a graceful shutdown', async () => {
    await under.post();
    await edge.stop();
    const codes = [];
    for (let n = 0; n < 5; n++) codes.push(await under.post(lender.edge()));
    expect(codes.filter((code) => code === null)).toHaveLength(4);
  });
  it('is returned at a graceful shutdown, even during a call about its key', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 1_000 }, quota: { limit: 1_000, period: 'DAY', offset: 0 } };
    for (let n = 0; n < 8; n++) {
      const request = await under.admitted();
      await request.takeQuota();
      request.ended(200, true);
    }
    lender.now += 3_000;
    // This returns the throttle, and keeps a small share of the quota.
    const settling = edge.settle();
    await Promise.all([settling, edge.stop()]);
    expect(lender.quotaLeft).toBe(992);
  });
  it('applies to requests with new terms while many that began without a quota wait for the throttle', async () => {
    lender.terms = { ...lender.terms, quota: null };
    const before = lender.key();
    lender.terms = { ...lender.terms, quota: { limit: 0, period: 'DAY', offset: 0 } };
    let tokens = 0;
    const { borrow } = lender;
    lender.borrow = async (place, call) => {
      const { throttle, quota } = await borrow.call(lender, place, call);
      // Other edges take most of what flows in.
      return { quota, throttle: throttle && { ...throttle, tokens: (tokens += 2), places: 100, empty_millis: 0 } };
    };
    const earlier = Array.from({ length: 3 }, () => edge.admit(before));
    const request = edge.admit(lender.key());
    const others = Array.from({ length: 9 }, () => edge.admit(before));
    const admitted = await request;
    // A body is read before the quota is taken.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(admitted.refusal ?? (await admitted.takeQuota())).not.toBeNull();
    await Promise.all([...earlier, ...others]);
  });
  it('is returned when the publication service answers again', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 100 }, quota: { limit: 5, period: 'DAY', offset: 0 } };
    const requests = await Promise.all([under.admitted(), under.admitted(), under.admitted()]);
    await Promise.all(requests.map((request) => request.takeQuota()));
    for (const request of requests) request.ended(400, true);
    lender.now += 3_000;
    lender.isAway = true;
    await edge.settle();
    lender.isAway = false;
    await edge.settle();
    expect(edge.size).toBe(0);
    const codes = [];
    for (let n = 0; n < 6; n++) codes.push(await under.post(lender.edge()));
    expect(codes.filter((code) => code === null)).toHaveLength(5);
  });
});
