/** How far a relay has come, and who may move it on. */
export interface RelayLease {
  /** Grows with each claim: an older one can't move the relay any more. */
  readonly epoch: number;
  /** Everything up to here was sent. */
  readonly position: number;
}

/**
 * One lease per relay, with the position that it has reached. Times are the adapter's own clock's, given at its making; a lease
 * that has run out is free for others, and still good for its holder until one of them takes it.
 */
export abstract class RelayCheckpoints {
  /** Answers null while somebody else holds the lease. Who holds it already gets it anew, with a new epoch. */
  abstract claim(relay: string, owner: string, ttlMs: number): Promise<RelayLease | null>;
  /** Moves the position (never back) and renews the lease. Answers false when the lease has gone to somebody else. */
  abstract advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean>;
  /** Frees the lease, if it is still this one, for whoever comes next. */
  abstract release(relay: string, epoch: number): Promise<void>;
}
