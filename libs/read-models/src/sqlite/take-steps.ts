import type { Transaction } from '@parlance/sqlite';
import type { Progress, Step } from '../read-models.ts';
import { records } from './records.ts';
import { RowChanges, type Rows } from './rows.ts';

/** A unit of work ends after the step at which the time spent so far, plus the expected time to write its rows, exceeds this. */
const UNIT_MS = 8;
/** Weight of the latest write in the average time per row. Higher if writes got slower, because a unit that takes too long delays others. */
const LATEST_WEIGHT = { faster: 0.1, slower: 0.5 };
/** The most rows of a unit. The expected time is not a reliable limit, because the next rows may be larger than the latest ones. */
const MOST_ROWS = 256;

/** The steps of one unit of work. A row that several of them change is written once, at the end. */
export class Taking {
  private readonly changed: RowChanges;
  private readonly until = performance.now() + UNIT_MS;

  constructor(
    private readonly rows: Rows,
    private readonly transaction: Transaction,
  ) {
    this.changed = new RowChanges(rows, transaction);
  }

  get isOver(): boolean {
    const { size } = this.changed;
    return size >= MOST_ROWS || performance.now() + size * this.rows.writeMs > this.until;
  }

  /** Applies at least one step, and more until the unit is over. Returns the position that the rows reach, and whether all steps were applied. */
  take(from: Pick<Progress, 'line' | 'at'>, steps: readonly Step[]): [at: string, isWhole: boolean] {
    const { id } = this.rows.declared;
    let { at } = from;
    let taken = 0;
    for (const { to, changes, park, unpark } of steps) {
      for (const change of changes) this.changed.make(change);
      if (unpark) records.unpark(this.transaction, id, from.line, unpark.key, unpark.number);
      if (park) records.park(this.transaction, id, from.line, park);
      at = to ?? at;
      taken += 1;
      if (this.isOver) break;
    }
    return [at, taken === steps.length];
  }

  write(): void {
    const { changed, rows } = this;
    const { size } = changed;
    const begin = performance.now();
    changed.flush();
    if (size === 0) return;
    const change = (performance.now() - begin) / size - rows.writeMs;
    rows.writeMs += change * (change > 0 ? LATEST_WEIGHT.slower : LATEST_WEIGHT.faster);
  }
}
