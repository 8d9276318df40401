/** The result of a change. */
export interface RowChanged<Row, Answer> {
  /** Null removes the row. */
  readonly row: Row | null;
  /** After this time without a change, the row may be removed, because it is equal to an absent one. */
  readonly keptMillis: number;
  readonly answer: Answer;
}

/** Small rows shared by all processes of a service. They may be lost when all of these processes end. */
export abstract class LimitRows {
  /**
   * Replaces a row atomically. `change` may run more than once, and only the last run counts. `now` is in milliseconds, of one clock for all
   * processes. Throws `limit_busy` (unavailable) if other changes always came first, and the errors of `change`.
   */
  abstract change<Row extends object, Answer>(
    key: string,
    change: (row: Row | null, now: number) => RowChanged<Row, Answer>,
  ): Promise<Answer>;
}
