import type { Decider, Instant } from '@parlance/decider';

/** Classes of response status. 429, for requests refused by the limits, is not part of 4xx. */
export const STATUSES = ['2xx', '3xx', '4xx', '429', '5xx'] as const;
export type Counts = Readonly<Record<(typeof STATUSES)[number], number>>;

/** An edge's counts for a key since its last report. */
export interface UsageReport {
  /** The edge's process. */
  readonly holder: string;
  /** The number of this report of the process about the key. A report with the number of an earlier one is a repeat. */
  readonly number: number;
  readonly botId: string;
  readonly apiId: string;
  /** The beginning of the hour of the requests. */
  readonly hour: Instant;
  readonly counts: Counts;
  /** The time of the last request. */
  readonly at: Instant;
}

export type KeyUseCommand = { type: 'Record'; report: UsageReport };
export type KeyUseEvent =
  | ({ type: 'ApiUsageRecorded' } & UsageReport)
  /** Written by earlier versions, which did not count the usage. */
  | { type: 'ApiKeyUsed'; at: Instant };

export interface KeyUse {
  readonly last: Instant | null;
  /** The number and the time of the last report of each process. Absent before the first. */
  readonly reports?: Readonly<Record<string, { readonly number: number; readonly at: Instant }>>;
}

/** The most processes whose last report is remembered. The process with the oldest report is forgotten first. */
export const MOST_REPORTERS = 32;

/** The uses of an API key. They are not on the publication's stream, because its version is the ETag that clients have. */
export const keyUse: Decider<KeyUseCommand, KeyUseEvent, KeyUse> = {
  initialState: { last: null },
  snapshots: { every: 50, shape: 'key-use@2' },

  decide({ report }, { reports = {} }) {
    const before = reports[report.holder];
    return before && report.number <= before.number ? [] : [{ type: 'ApiUsageRecorded', ...report }];
  },

  evolve(state, event) {
    const last = Math.max(state.last ?? 0, event.at) as Instant;
    if (event.type === 'ApiKeyUsed') return { ...state, last };
    const { holder, number, at } = event;
    const { [holder]: _, ...others } = state.reports ?? {};
    return { last, reports: { ...newest(others), [holder]: { number, at } } };
  },
};

function newest(reports: NonNullable<KeyUse['reports']>): NonNullable<KeyUse['reports']> {
  const entries = Object.entries(reports);
  if (entries.length < MOST_REPORTERS) return reports;
  return Object.fromEntries(entries.toSorted(([, a], [, b]) => b.at - a.at).slice(0, MOST_REPORTERS - 1));
}

/** The number of requests, without those refused by the limits. */
export const requestsOf = (counts: Counts): number => counts['2xx'] + counts['3xx'] + counts['4xx'] + counts['5xx'];

export const keyUseStream = (keyId: string) => `keyuse-${keyId}`;
