import { type Instant, LONGEST_LEASE_MILLIS } from '@parlance/decider';
import type { Query, ReadModels, Row, Table } from '@parlance/read-models';

/** Most rows that one query returns of leases that were taken while the clock was ahead. */
const MOST_IMPOSSIBLE = 50;

type ByTime = Omit<Query, 'from' | 'to' | 'after'>;

/**
 * The rows of work that is not leased: those whose time in the index has come, the longest waiting ones first, and then those of
 * `findImpossiblyLeased`.
 */
export async function findUnleased<R extends Row>(
  models: Pick<ReadModels, 'find'>,
  table: Table<R>,
  query: ByTime,
  now: Instant,
  longest = LONGEST_LEASE_MILLIS,
): Promise<readonly R[]> {
  const { rows } = await models.find(table, { ...query, to: now });
  const limit = query.limit - rows.length;
  return limit <= 0 ? rows : [...rows, ...(await findImpossiblyLeased(models, table, { ...query, limit }, now, longest))];
}

/** Some rows whose time is later than a lease can last, which `isLeased` does not count as leased. `longest`: if the same field has longer pauses too. */
export async function findImpossiblyLeased<R extends Row>(
  models: Pick<ReadModels, 'find'>,
  table: Table<R>,
  query: ByTime,
  now: Instant,
  longest = LONGEST_LEASE_MILLIS,
): Promise<readonly R[]> {
  return (await models.find(table, { ...query, from: now + longest + 1, limit: Math.min(query.limit, MOST_IMPOSSIBLE) })).rows;
}
