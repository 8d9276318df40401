/** What a change makes of a row. */
export interface RowChanged<Row, Answer> {
  /** Null removes the row. */
  readonly row: Row | null;
  /** After so long without a change the row may be forgotten: it then says the same as none. */
  readonly keptMillis: number;
  readonly answer: Answer;
}

/** Small rows that all processes of a service share. They need not survive a loss of all of these processes. */
export abstract class LimitRows {
  /**
   * Replaces a row in one step. `change` may run more than once, and only the last run counts. `now` is in milliseconds, of one clock for
   * all processes. Throws `limit_busy` (unavailable) when others were always first, and what `change` throws.
   */
  abstract change<Row extends object, Answer>(
    key: string,
    change: (row: Row | null, now: number) => RowChanged<Row, Answer>,
  ): Promise<Answer>;
}
