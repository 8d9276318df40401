import { type Instant, LONGEST_LEASE_MILLIS } from '@parlance/decider';
import type { Page, Query, ReadModels, Row, Table } from '@parlance/read-models';

/** The maximum number of rows with impossible leases (taken while a clock was ahead) that one query returns. */
const MOST_IMPOSSIBLE = 50;

type ByTime = Omit<Query, 'from' | 'to'>;

/**
 * A page of the rows of work that is not leased: those whose time in the index has passed, the longest waiting ones first. The last page
 * also contains the rows of `findImpossiblyLeased`.
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

/**
 * Some rows whose time is further ahead than any lease can end, so that `isLeased` ignores it. `longest`: set if the field also holds
 * pauses that are longer than leases.
 */
export async function findImpossiblyLeased<R extends Row>(
  models: Pick<ReadModels, 'find'>,
  table: Table<R>,
  { after: _, ...query }: ByTime,
  now: Instant,
  longest = LONGEST_LEASE_MILLIS,
): Promise<readonly R[]> {
  return (await models.find(table, { ...query, from: now + longest + 1, limit: Math.min(query.limit, MOST_IMPOSSIBLE) })).rows;
}
