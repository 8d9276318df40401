import type { Transaction } from '@parlance/sqlite';
import type { Progress, Step } from '../read-models.ts';
import { records } from './records.ts';
import { RowChanges, type Rows } from './rows.ts';

/** A unit of work ends after the step in which it passes this time, together with the time for the rows that wait to be written. */
const UNIT_MS = 8;
/** How much the time of the latest rows counts for that of the next ones: more if they were slower, because a unit that is too long delays others. */
const LATEST = { faster: 0.1, slower: 0.5 };
/** The next rows may be larger than the latest ones, so a unit does not count on their time alone. */
const MOST_ROWS = 256;

/**
 * Applies steps until the time of a unit is over. Returns the place of the rows, and whether all steps were applied. A row that several steps change
 * is written once, at the end.
 */
export function takeSteps(rows: Rows, transaction: Transaction, from: Progress, steps: readonly Step[]): [at: string, isWhole: boolean] {
  const changed = new RowChanges(rows, transaction);
  const { id } = rows.declared;
  const until = performance.now() + UNIT_MS;
  let { at } = from;
  let taken = 0;
  for (const { to, changes, park, unpark } of steps) {
    for (const change of changes) changed.make(change);
    if (unpark) records.unpark(transaction, id, from.line, unpark.key, unpark.number);
    if (park) records.park(transaction, id, from.line, park);
    at = to ?? at;
    taken += 1;
    if (changed.size >= MOST_ROWS || performance.now() + changed.size * rows.writeMs > until) break;
  }
  const { size } = changed;
  const begin = performance.now();
  changed.flush();
  if (size > 0) {
    const change = (performance.now() - begin) / size - rows.writeMs;
    rows.writeMs += change * (change > 0 ? LATEST.slower : LATEST.faster);
  }
  return [at, taken === steps.length];
}
