export interface RelayLease {
  /** Grows with each claim. A holder of an older epoch can't move the relay. */
  readonly epoch: number;
  /** Everything up to here was sent. */
  readonly position: number;
}

/**
 * One lease per relay, with the position that it has reached. Times are those of the database's clock. An expired lease is free for
 * others, and remains valid for its holder until one of them claims it.
 */
export abstract class RelayCheckpoints {
  /** Answers null while another owner holds the lease. The owner that holds it gets it again, with a new epoch. */
  abstract claim(relay: string, owner: string, ttlMs: number): Promise<RelayLease | null>;
  /** Moves the position (never back) and renews the lease. Answers false when another owner has claimed the lease. */
  abstract advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean>;
  /** Frees the lease, if this epoch still holds it. */
  abstract release(relay: string, epoch: number): Promise<void>;
  /** The position that the relay has reached in any process; 0 before it began. */
  abstract position(relay: string): Promise<number>;
}
