import { type Instant, LONGEST_LEASE_MILLIS } from '@parlance/decider';
import type { Page, Query, ReadModels, Row, Table } from '@parlance/read-models';

/** Most rows that one query returns of leases that were taken while the clock was ahead. */
const MOST_IMPOSSIBLE = 50;

type ByTime = Omit<Query, 'from' | 'to'>;

/**
 * A page of the rows of work that is not leased: those whose time in the index has come, the longest waiting ones first. The last page ends with those of
 * `findImpossiblyLeased`.
 */
export async function findUnleased<R extends Row>(
  models: Pick<ReadModels, 'find'>,
  table: Table<R>,
  query: ByTime,
  now: Instant,
  longest = LONGEST_LEASE_MILLIS,
): Promise<Pick<Page<R>, 'rows' | 'next'>> {
  const { rows, next } = await models.find(table, { ...query, to: now });
  const limit = query.limit - rows.length;
  if (next !== null || limit <= 0) return { rows, next };
  return { rows: [...rows, ...(await findImpossiblyLeased(models, table, { ...query, limit }, now, longest))], next: null };
}

/** Some rows whose time is later than a lease can last, which `isLeased` does not count as leased. `longest`: if the same field has longer pauses too. */
export async function findImpossiblyLeased<R extends Row>(
  models: Pick<ReadModels, 'find'>,
  table: Table<R>,
  { after: _, ...query }: ByTime,
  now: Instant,
  longest = LONGEST_LEASE_MILLIS,
): Promise<readonly R[]> {
  return (await models.find(table, { ...query, from: now + longest + 1, limit: Math.min(query.limit, MOST_IMPOSSIBLE) })).rows;
}
