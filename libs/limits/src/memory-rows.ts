import { refuse } from '@parlance/decider';
import { LimitRows, type RowChanged } from './rows.ts';

interface Kept {
  readonly row: object;
  readonly until: number;
}

/** How many rows each change checks for their age. With more than one, old rows are removed faster than new rows are added. */
const CHECKED_PER_CHANGE = 4;

export interface MemoryRowsOptions {
  /** How long processes that survive a restart of this service may use shares of its earlier process; 0 if there are no such processes. */
  readonly outlivedMillis: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Rows for a service that is one process. */
export class MemoryLimitRows extends LimitRows {
  private readonly rows = new Map<string, Kept>();
  private sweep: Iterator<[string, Kept]> = this.rows.entries();
  private readonly now: () => number;
  private readonly begins: number;

  constructor({ outlivedMillis, now = () => performance.now() }: MemoryRowsOptions) {
    super();
    this.now = now;
    this.begins = outlivedMillis === 0 ? 0 : now() + outlivedMillis;
  }

  /** Also throws `limits_starting` (unavailable) while processes may use shares of an earlier process. */
  override async change<Row extends object, Answer>(
    key: string,
    change: (row: Row | null, now: number) => RowChanged<Row, Answer>,
  ): Promise<Answer> {
    const now = this.now();
    if (now < this.begins) {
      const facts = { retry_after: (this.begins - now) / 1_000 };
      throw refuse('unavailable', 'limits_starting', 'After a restart, the limits of this API are not known yet. Try again soon.', facts);
    }
    this.forget(now);
    const kept = this.rows.get(key);
    const { row, keptMillis, answer } = change(kept && kept.until > now ? (kept.row as Row) : null, now);
    if (row) this.rows.set(key, { row, until: now + keptMillis });
    else this.rows.delete(key);
    return answer;
  }

  get size(): number {
    return this.rows.size;
  }

  private forget(now: number): void {
    for (let looked = 0; looked < CHECKED_PER_CHANGE; looked++) {
      const { value, done } = this.sweep.next();
      if (done) {
        this.sweep = this.rows.entries();
        return;
      }
      if (value[1].until <= now) this.rows.delete(value[0]);
    }
  }
}
