import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { Counts } from '../domain/key-use.ts';
import type { UsagePage } from '../projections/api-usage.ts';
import type { PublicationRow } from '../projections/publications.ts';
import type { LimitLending } from './limit-lending.ts';
import { MOST_LISTED, UsageReports } from './usage-reports.ts';

const HOUR = 3_600;
const row = { bot_id: 'b', api_id: 'a', api_key_ids: ['living'], quota: null } as unknown as PublicationRow;
const requests = (count: number): Counts => ({ '2xx': count, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 });
const hourly = (hour: number, by_key: Record<string, Counts>) => ({ bot_id: 'b', api_id: 'a', hour, by_key });

/** Creates reports from these pages of hours. */
function reportOf(...pages: UsagePage['rows'][]) {
  const left = pages.map((rows, index) => ({ rows, next: index + 1 < pages.length ? 'more' : null }));
  const queries = { execute: async () => left.shift() } as unknown as QueryBus;
  return new UsageReports(queries, {} as LimitLending).of(row, { from: 0, to: 100 * HOUR });
}

describe('the usage of a published bot', () => {
  it('is added up over all pages, by hour and by day', async () => {
    const report = await reportOf(
      [hourly(22 * HOUR, { living: requests(1) })],
      [hourly(23 * HOUR, { living: requests(2) }), hourly(24 * HOUR, { living: requests(4) })],
    );
    expect(report.request_count).toBe(7);
    expect(report.by_hour).toMatchObject([22, 23, 24].map((hour, index) => ({ hour: hour * HOUR, request_count: 2 ** index })));
    expect(report.by_day).toMatchObject([
      { date: '1970-01-01', request_count: 3 },
      { date: '1970-01-02', request_count: 4 },
    ]);
  });
  it('lists the keys that are not revoked, and the revoked keys with the most requests', async () => {
    const revoked = Array.from({ length: MOST_LISTED }, (_, index) => [`revoked-${index + 1}`, requests(index + 1)]);
    const { by_key, request_count } = await reportOf([hourly(0, Object.fromEntries(revoked))]);
    const ids = by_key.map(({ api_key_id }) => api_key_id);
    expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([MOST_LISTED, 'living', `revoked-${MOST_LISTED}`, 'revoked-2']);
    expect(request_count).toBe((MOST_LISTED * (MOST_LISTED + 1)) / 2);
  });
});
