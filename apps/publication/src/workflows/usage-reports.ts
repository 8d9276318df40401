import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { Cursor } from '@parlance/read-models';
import { type Counts, requestsOf, STATUSES } from '../domain/key-use.ts';
import { UsageOfApi, type UsagePage } from '../projections/api-usage.ts';
import type { PublicationRow } from '../projections/publications.ts';
import { LimitLending } from './limit-lending.ts';

/** The most keys that are listed: the keys that are not revoked, then the revoked keys with the most requests. */
export const MOST_LISTED = 200;

/** A window in epoch seconds. Both hours are included. */
export interface UsageWindow {
  readonly from: number;
  readonly to: number;
}

export interface Requests {
  readonly request_count: number;
  readonly by_status: Counts;
}

export interface KeyQuota {
  readonly limit: number;
  readonly used: number;
  /** Epoch seconds. */
  readonly resets_at: number;
}

export interface UsageReport extends Requests {
  readonly by_key: readonly (Requests & { readonly api_key_id: string; readonly quota: KeyQuota | null })[];
  readonly by_hour: readonly (Requests & { readonly hour: number })[];
  readonly by_day: readonly (Requests & { readonly date: string })[];
}

type Sums = Record<(typeof STATUSES)[number], number>;

/** Adds up the requests to a published bot. */
@Injectable()
export class UsageReports {
  constructor(
    private readonly queries: QueryBus,
    private readonly lending: LimitLending,
  ) {}

  async of(row: PublicationRow, { from, to }: UsageWindow): Promise<UsageReport> {
    const total = noRequests();
    const [keys, hours, days] = [new Map<string, Sums>(), new Map<number, Sums>(), new Map<string, Sums>()];
    let after: Cursor | null = null;
    do {
      const page: UsagePage = await this.queries.execute(new UsageOfApi(row.bot_id, row.api_id, from, to, after));
      for (const { hour, by_key } of page.rows) {
        const day = Instant.toString(Instant.ofSeconds(hour)).slice(0, 10);
        const sums = [total, at(hours, hour), at(days, day)];
        for (const [keyId, counts] of Object.entries(by_key)) {
          addTo(at(keys, keyId), counts);
          for (const sum of sums) addTo(sum, counts);
        }
      }
      after = page.next;
      await setImmediate();
    } while (after);
    return {
      ...requests(total),
      by_key: await this.byKey(row, keys),
      by_hour: [...hours].map(([hour, sums]) => ({ hour, ...requests(sums) })),
      by_day: [...days].map(([date, sums]) => ({ date, ...requests(sums) })),
    };
  }

  private async byKey({ api_key_ids, ...row }: PublicationRow, used: ReadonlyMap<string, Sums>): Promise<UsageReport['by_key']> {
    const living = new Set(api_key_ids);
    const revoked = [...used].filter(([keyId]) => !living.has(keyId));
    const most = revoked.toSorted(([, a], [, b]) => requestsOf(b) - requestsOf(a)).slice(0, MOST_LISTED - living.size);
    const listed = [...api_key_ids, ...most.map(([keyId]) => keyId)];
    const list = [];
    for (const api_key_id of listed) {
      const quota = living.has(api_key_id) ? await this.quotaOf(api_key_id, { ...row, api_key_ids }) : null;
      list.push({ api_key_id, ...requests(used.get(api_key_id) ?? noRequests()), quota });
    }
    return list;
  }

  private async quotaOf(keyId: string, row: PublicationRow): Promise<KeyQuota | null> {
    if (!row.quota) return null;
    const { limit, used, resetsAt } = await this.lending.standing(keyId, row, row.quota);
    return { limit, used, resets_at: Instant.toSeconds(resetsAt) };
  }
}

const noRequests = (): Sums => ({ '2xx': 0, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 });

function at<Key>(sums: Map<Key, Sums>, key: Key): Sums {
  let sum = sums.get(key);
  if (!sum) sums.set(key, (sum = noRequests()));
  return sum;
}

/** Adds to `sums` in place, because a long window has hundreds of thousands of counts. */
function addTo(sums: Sums, counts: Counts): void {
  for (const status of STATUSES) sums[status] += counts[status];
}

const requests = (sums: Sums): Requests => ({ request_count: requestsOf(sums), by_status: sums });
