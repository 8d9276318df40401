import { allAtOnce, PagedRounds, type PageOf } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';

/** The number of requests that are settled at the same time. The store writes their events together. */
export const SETTLED_AT_ONCE = 20;
/**
 * How long a round continues to take requests. Anybody can send requests for any addresses, and the requests of users may be queued after
 * many of these.
 */
const ROUND_MILLIS = 3_000;

/** Rounds that settle open requests. `what` names the requests in errors. */
export class RequestRounds<Row extends { readonly mail_id: string }> {
  private readonly rounds: PagedRounds<Row, Cursor>;

  constructor(what: string) {
    this.rounds = new PagedRounds(`requests for ${what} could not be settled`, ({ mail_id }) => mail_id);
  }

  run(open: (after: Cursor | null) => Promise<PageOf<Row, Cursor>>, settle: (row: Row) => Promise<void>): Promise<void> {
    return this.rounds.run(open, settle, { millis: ROUND_MILLIS, pace: allAtOnce() });
  }
}
