import { beforeEach, describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import type { Admitted, Throttled } from '../src/http/published/api-limits.ts';
import type { BorrowedApiLimits } from '../src/http/published/borrowed-api-limits.ts';
import { codeOf, EdgeWithLimits, type Lender } from './limits-of-keys.ts';

describe('the throttle of API keys in an edge', () => {
  let under: EdgeWithLimits;
  let lender: Lender;
  let edge: BorrowedApiLimits;
  beforeEach(() => {
    under = new EdgeWithLimits();
    ({ lender, edge } = under);
  });

  it('admits the usual request without a call', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 1_000 }, quota: null };
    await under.warm();
    const calls = lender.calls.length;
    for (let n = 0; n < 50; n++) {
      const answer = edge.admit(lender.key());
      expect(answer).not.toBeInstanceOf(Promise);
      (answer as Admitted).ended(200, true);
    }
    expect(lender.calls).toHaveLength(calls);
  });
  it('refuses requests beyond the burst, and makes no call until there is a token', async () => {
    expect(await under.count(25)).toBe(10);
    const calls = lender.calls.length;
    const refused = edge.admit(lender.key()) as Throttled;
    expect(refused.refusal).toMatchObject({ kind: 'limited', code: 'throttled', facts: { retry_after: expect.any(Number) } });
    expect(refused.refusal.message).toMatch(/^Too many requests: /);
    expect(await under.count(500)).toBe(0);
    expect(lender.calls).toHaveLength(calls);
    lender.now += 500;
    expect(await under.count(25)).toBe(5);
  });
  it('refuses requests that arrive while earlier ones wait, even if tokens become available meanwhile', async () => {
    lender.terms = { throttle: { rate_limit: 100, burst_limit: 50 }, quota: null };
    let tokens = 0;
    lender.borrow = async () => {
      const lent = { is_known: true, tokens: ++tokens, places: 50, level: 0, empty_millis: 10, usable_millis: 10_000 };
      return { throttle: { ...lent, terms: lender.terms.throttle }, quota: null };
    };
    const send = async () => {
      const answer = await edge.admit(lender.key());
      if (answer.refusal === null) answer.ended(200, true);
      return codeOf(answer.refusal);
    };
    const codes = await Promise.all(Array.from({ length: 120 }, send));
    expect(new Set(codes)).toEqual(new Set([null, 'throttled']));
  });
  it('is shared by all edges', async () => {
    const others = [lender.edge(), lender.edge()];
    const all = await Promise.all([edge, ...others].map((each) => under.count(10, each)));
    expect(all.reduce((sum, through) => sum + through)).toBe(10);
  });
  it('admits as many concurrent requests as the burst, and further ones when some have ended', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 3 }, quota: null };
    const running = [await under.admitted(), await under.admitted(), await under.admitted()];
    lender.now += 1_000;
    expect((await edge.admit(lender.key())).refusal).toMatchObject({ code: 'throttled' });
    running[0]!.ended(200, true);
    running[0]!.ended(200, true);
    lender.now += 1_000;
    expect([(await edge.admit(lender.key())).refusal, codeOf((await edge.admit(lender.key())).refusal)]).toEqual([null, 'throttled']);
  });
  it('keeps the slots of long requests beyond a lease, across all edges', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 2 }, quota: null };
    await under.admitted();
    await under.admitted();
    for (let n = 0; n < 30; n++) {
      lender.now += 1_000;
      await edge.settle();
    }
    expect((await lender.edge().admit(lender.key())).refusal).toMatchObject({ code: 'throttled' });
    expect(lender.calls.length).toBeLessThan(15);
  });
  it('returns everything from an idle edge to the others', async () => {
    await under.count(1);
    lender.now += 1_000;
    await edge.settle();
    expect(edge.size).toBe(0);
    lender.now += 100;
    expect(await under.count(10, lender.edge())).toBe(10);
  });
  it('forgets a key whose publication was removed', async () => {
    await under.count(1);
    const request = await under.admitted();
    lender.borrow = () => Promise.reject(refuse('missing', 'not_published', 'There is no published API at this address.'));
    request.ended(200, true);
    lender.now += 3_000;
    await edge.settle();
    expect(edge.size).toBe(0);
  });
  it('makes calls about only a few idle keys while the publication service is unavailable', async () => {
    for (let n = 0; n < 30; n++) ((await edge.admit(lender.key(`k${n}`))) as Admitted).ended(404, true);
    let asked = 0;
    lender.borrow = () => {
      asked++;
      return Promise.reject(refuse('unavailable', 'service_unavailable', 'The service publication cannot be reached now.'));
    };
    lender.now += 3_000;
    await edge.settle();
    expect([asked, edge.size]).toEqual([8, 30]);
  });
  it('uses nothing after its lease, when the process was paused', async () => {
    lender.terms = { throttle: { rate_limit: 0.001, burst_limit: 100 }, quota: null };
    const [request] = [await under.admitted(), await under.count(3)];
    lender.now += 60_000;
    const calls = lender.calls.length;
    await under.admitted();
    expect([lender.calls.length > calls, lender.calls.at(-1)!.throttle!.is_first]).toEqual([true, true]);
    request!.ended(200, true);
  });
  it('applies changed terms from the next request on, whatever was lent under the earlier ones', async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 1_000 }, quota: null };
    await under.warm();
    await under.count(20);
    lender.terms = { throttle: { rate_limit: 0.001, burst_limit: 2 }, quota: null };
    let through = 0;
    for (let n = 0; n < 10; n++) through += await under.count(1);
    expect(through).toBe(2);
  });
  it('is in the headers, with the remaining requests', async () => {
    const request = await under.admitted();
    expect(request.headers).toMatchObject({ limit: 10, remaining: 9 });
    expect(request.headers.reset).toBeGreaterThan(Date.now() / 1_000 - 1);
  });
  it('reports the usage at a graceful shutdown, including what was counted during a report', async () => {
    const record = lender.report.bind(lender);
    lender.report = async (holder, reports) => {
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      await record(holder, reports);
    };
    await under.count(1);
    const flushing = edge.usage.flush();
    await under.count(2);
    await Promise.all([flushing, edge.stop()]);
    expect(lender.reports.map(({ counts }) => counts['2xx'])).toEqual([1, 2]);
  });
  it("continues with the edge's share while the publication service is unavailable, and then answers 503", async () => {
    lender.terms = { throttle: { rate_limit: 1_000, burst_limit: 1_000 }, quota: null };
    await under.warm();
    lender.isAway = true;
    for (let n = 0; n < 20; n++) expect(await under.count(1)).toBe(1);
    await expect(under.count(500)).rejects.toMatchObject({ kind: 'unavailable', facts: { retry_after: 5 } });
    lender.now += 300;
    await expect(edge.settle()).resolves.toBeUndefined();
    lender.isAway = false;
    lender.now += 1_000;
    expect(await under.count(10)).toBe(10);
  });
});
