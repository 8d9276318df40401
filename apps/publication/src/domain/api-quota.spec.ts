import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { apiQuota, MOST_EDGES, type QuotaCommand, type QuotaEvent, standingOf, type QuotaTerms } from './api-quota.ts';

const given = specify(apiQuota);
const until = Instant.ofMillis(60_000);
const terms: QuotaTerms = { period: 'DAY', firstDay: '2026-11-22', limit: 100, revision: 1 };
const borrow = (more: Partial<QuotaCommand> = {}): QuotaCommand => ({
  type: 'Borrow',
  holder: 'a',
  isFirst: true,
  isLast: false,
  report: { used: 0, returned: 0 },
  wish: { needed: 1, wanted: 1 },
  terms,
  until,
  ...more,
});
const inPeriod = { period: terms.period, firstDay: terms.firstDay, revision: terms.revision };
const lent = (amount: number, more: Partial<QuotaEvent> = {}) =>
  ({ type: 'QuotaLent', ...inPeriod, holder: 'a', used: 0, returned: 0, until, amount, ...more }) as QuotaEvent;
const reported = (used: number, returned: number, isLast: boolean) =>
  ({ type: 'QuotaReported', ...inPeriod, holder: 'a', used, returned, until, isLast }) as QuotaEvent;
const report = (used: number, returned: number, isLast = false) =>
  borrow({ isFirst: false, isLast, report: { used, returned }, wish: { needed: 0, wanted: 0 } });

describe('the quota of an API key', () => {
  it('is lent in blocks of an eighth of the rest', () => given().when(borrow()).emits(lent(12)));
  it('is lent in single requests when little is left', () =>
    given(lent(97, { holder: 'b' }))
      .when(borrow())
      .emits(lent(1)));
  it('is lent for all waiting requests, if enough is left', () =>
    given()
      .when(borrow({ wish: { needed: 30, wanted: 30 } }))
      .emits(lent(30)));
  it('is lent up to the last request', () =>
    given(lent(97, { holder: 'b' }))
      .when(borrow({ wish: { needed: 30, wanted: 30 } }))
      .emits(lent(3)));
  it('is not lent when nothing is left', () =>
    given(lent(100, { holder: 'b' }))
      .when(borrow())
      .emits());
  it('is lent up to a quarter of the rest to an edge that asks for more than it needs', () =>
    given()
      .when(borrow({ wish: { needed: 1, wanted: 90 } }))
      .emits(lent(25)));
  it('is lent again when it is returned', () =>
    given(lent(100, { holder: 'b' }), { ...reported(40, 60, false), holder: 'b' })
      .when(borrow())
      .emits(lent(7)));
  it('counts a report once', () =>
    given(lent(10), reported(4, 6, false))
      .when(report(4, 6))
      .emits());
  it('counts as used what the last report of an edge does not return', () =>
    given(lent(60), lent(40, { holder: 'b' }), reported(20, 10, true))
      .when(borrow({ holder: 'c', wish: { needed: 30, wanted: 30 } }))
      .emits(lent(10, { holder: 'c' })));
  it('ignores a late report', () =>
    given(lent(10), reported(4, 6, false))
      .when(report(2, 0))
      .emits());
  it('ignores a report by an edge that has borrowed nothing', () =>
    given(lent(10, { holder: 'b' }))
      .when(report(0, 10))
      .emits());
  it('is complete again in the next period', () => {
    const next = { ...terms, firstDay: '2026-11-23' };
    given(lent(100))
      .when(borrow({ terms: next }))
      .emits(lent(12, { firstDay: '2026-11-23' }));
  });
  it('does not begin an earlier period again, for a process whose clock is slow', () =>
    given(lent(100, { firstDay: '2026-11-23' }))
      .when(borrow({ holder: 'b' }))
      .emits());
  it('is not lent under outdated terms', () =>
    given(lent(10, { revision: 2 }))
      .when(borrow())
      .refuses('version_stale'));
  it('is lent up to a lowered limit after the change', () =>
    given(lent(60))
      .when(borrow({ holder: 'b', terms: { ...terms, limit: 50, revision: 2 } }))
      .emits());
  it('counts the shares of lost edges as used, however many there are', () => {
    const state = fold(
      apiQuota,
      Array.from({ length: MOST_EDGES + 5 }, (_none, n) => lent(1, { holder: `e${n}`, until: Instant.ofMillis(n) })),
    );
    expect([Object.keys(state.shares).length, state.settled]).toEqual([MOST_EDGES, 5]);
    expect(standingOf(state, terms, Instant.ofMillis(1_000))).toEqual({ limit: 100, used: 69, left: 31, elsewhere: 0 });
  });
  it('reports what other edges may return', () => {
    const state = fold(apiQuota, [lent(30), lent(50, { holder: 'b' }), reported(10, 5, false)]);
    const now = Instant.ofMillis(0);
    expect(standingOf(state, terms, now, 'a')).toEqual({ limit: 100, used: 10, left: 25, elsewhere: 50 });
    expect(standingOf(state, terms, now, 'b').elsewhere).toBe(15);
  });
  it('forgets an edge after its last report', () =>
    expect(fold(apiQuota, [lent(30), reported(10, 20, true)])).toMatchObject({ settled: 10, shares: {} }));
});
