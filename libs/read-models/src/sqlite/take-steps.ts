import type { Transaction } from '@parlance/sqlite';
import type { Progress, Step } from '../read-models.ts';
import { records } from './records.ts';
import { RowChanges, type Rows } from './rows.ts';

/** A unit of work ends after the step in which it passes this time. */
const UNIT_MS = 8;
/** Rows that wait to be written. They are written before the time is looked at: one with some indexes takes 0.1 ms. */
const ROWS_AT_ONCE = 32;

/** Applies steps until the time of a unit is over. Returns the place of the rows, and whether all steps were applied. */
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
    if (changed.size >= ROWS_AT_ONCE) changed.flush();
    if (performance.now() > until) break;
  }
  changed.flush();
  return [at, taken === steps.length];
}
