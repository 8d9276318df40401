import { type Decider, type Decision, type Instant, refuse } from '@parlance/decider';
import { afterReport, blockOf, NO_SHARE, type Period, type Report, type Share, takenOf, unusedOf, type Wanted } from '@parlance/limits';

/** The quota for the current period, from the publication's terms. */
export interface QuotaTerms {
  readonly period: Period;
  /** YYYY-MM-DD. */
  readonly firstDay: string;
  /** Requests in this period. */
  readonly limit: number;
  /** The revision of the publication's terms. */
  readonly revision: number;
}

/** The share of one edge in the quota. An edge's process uses a new name for each period. */
export interface QuotaShare extends Share {
  /** If the edge does not report by then, it is not expected to return anything. */
  readonly until: Instant;
}

/** A call by an edge: what it has used, and what it wants. */
export type QuotaCommand = {
  type: 'Borrow';
  holder: string;
  /** Whether this is the first call with this name, and whether it is the last. */
  isFirst: boolean;
  isLast: boolean;
  report: Report;
  wish: Wanted;
  terms: QuotaTerms;
  until: Instant;
};

type EdgeFacts = { period: Period; firstDay: string; revision: number; holder: string; until: Instant } & Report;
export type QuotaEvent = ({ type: 'QuotaLent'; amount: number } & EdgeFacts) | ({ type: 'QuotaReported'; isLast: boolean } & EdgeFacts);

export interface ApiQuota {
  /** Null before anything was lent. */
  readonly current: { readonly period: Period; readonly firstDay: string } | null;
  readonly revision: number;
  /** Requests used by edges that have sent their last report or were forgotten. */
  readonly settled: number;
  readonly shares: Readonly<Record<string, QuotaShare>>;
}

/** The most edges whose shares are known at the same time. Above this, the share of the edge with the earliest `until` counts as used. */
export const MOST_EDGES = 64;

/** The quota of one API key. The share of a lost edge counts as used until the period ends. */
export const apiQuota: Decider<QuotaCommand, QuotaEvent, ApiQuota> = {
  initialState: { current: null, revision: 0, settled: 0, shares: {} },
  snapshots: { every: 50, shape: 'api-quota@1' },

  decide: borrow,

  evolve(before, event) {
    const { type, holder, used, returned, until, period, firstDay, revision } = event;
    const state = isOver(before, event) ? { ...apiQuota.initialState, current: { period, firstDay } } : before;
    const { [holder]: share = NO_SHARE, ...others } = state.shares;
    const granted = share.granted + (type === 'QuotaLent' ? event.amount : 0);
    if (type === 'QuotaReported' && event.isLast)
      return { ...state, revision, settled: state.settled + takenOf({ granted, used, returned }), shares: others };
    return bounded({ ...state, revision, shares: { ...others, [holder]: { granted, used, returned, until } } });
  },
};

function borrow({ holder, isFirst, isLast, report, wish, terms, until }: QuotaCommand, before: ApiQuota): Decision<QuotaEvent> {
  if (terms.revision < before.revision) return refuse('stale', 'version_stale', 'The quota has changed since it was read. Try again.');
  const state = inPeriod(before, terms);
  const share = state.shares[holder] ?? (isFirst ? NO_SHARE : null);
  if (!share) return [];
  const { used, returned } = afterReport(share, report);
  const { period, firstDay } = state.current!;
  const facts = { period, firstDay, revision: terms.revision, holder, used, returned, until };
  const amount = isLast ? 0 : amountOf(terms.limit - takenIn(state) + (returned - share.returned), terms.limit, wish);
  if (amount > 0) return [{ type: 'QuotaLent', ...facts, amount }];
  const isNews = share !== NO_SHARE && (isLast || used !== share.used || returned !== share.returned);
  return isNews ? [{ type: 'QuotaReported', ...facts, isLast }] : [];
}

/** An edge that asks for more than it needs gets at most a quarter of what is left. */
const MOST_SHARE = 1 / 4;

function amountOf(left: number, limit: number, { needed, wanted }: Wanted): number {
  if (needed === 0 && wanted === 0) return 0;
  if (left <= needed) return Math.max(0, left);
  const wish = { needed: Math.max(1, needed), wanted: Math.min(wanted, Math.ceil(left * MOST_SHARE)) };
  return blockOf({ limit, spent: limit - left, known: {} }, {}, wish) ?? 0;
}

/** Another period has begun, or the quota has periods of another length. Clocks differ, so an earlier period never begins again. */
const isOver = ({ current }: ApiQuota, { period, firstDay }: Pick<QuotaTerms, 'period' | 'firstDay'>): boolean =>
  current === null || current.period !== period || current.firstDay < firstDay;

const inPeriod = (state: ApiQuota, { period, firstDay }: QuotaTerms): ApiQuota =>
  isOver(state, { period, firstDay }) ? { ...apiQuota.initialState, current: { period, firstDay } } : state;

const takenIn = ({ settled, shares }: ApiQuota): number => Object.values(shares).reduce((sum, share) => sum + takenOf(share), settled);

function bounded(state: ApiQuota): ApiQuota {
  const entries = Object.entries(state.shares);
  if (entries.length <= MOST_EDGES) return state;
  const [[holder, share]] = entries.toSorted(([, a], [, b]) => a.until - b.until) as [[string, QuotaShare]];
  const { [holder]: _, ...shares } = state.shares;
  return { ...state, settled: state.settled + takenOf(share), shares };
}

/** The usage of a quota in its current period. */
export interface QuotaStanding {
  readonly limit: number;
  /** Requests that edges have reported, plus the shares of lost edges. */
  readonly used: number;
  /** The requests that can be lent. */
  readonly left: number;
  /** The requests that edges other than `holder` have, and may return. */
  readonly elsewhere: number;
}

export function standingOf(before: ApiQuota, terms: QuotaTerms, now: Instant, holder?: string): QuotaStanding {
  const state = inPeriod(before, terms);
  const shares = Object.entries(state.shares);
  const open = shares.filter(([, { until }]) => until > now);
  const unused = open.reduce((sum, [, share]) => sum + unusedOf(share), 0);
  const others = open.reduce((sum, [id, share]) => sum + (id === holder ? 0 : unusedOf(share)), 0);
  const taken = takenIn(state);
  return { limit: terms.limit, used: taken - unused, left: Math.max(0, terms.limit - taken), elsewhere: others };
}

export const apiQuotaStream = (keyId: string) => `apiquota-${keyId}`;
