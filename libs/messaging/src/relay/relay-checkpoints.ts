export interface RelayLease {
  /** Increases with each claim. The owner of an older epoch cannot move the relay. */
  readonly epoch: number;
  /** Everything up to this position was sent. */
  readonly position: number;
}

/**
 * For how long after the end of its lease a relay of a newer release keeps relays of older ones from claiming it. A rolling update and the restart of
 * a pod are shorter. After a rollback, the earlier release publishes after this time.
 */
export const NEWER_RELEASE_KEEPS_MS = 60_000;

/**
 * One lease per relay, with the position that the relay has reached. Times are of the database's clock. Others may claim an expired lease;
 * until one of them does, it remains valid for its owner.
 *
 * An older release does not know the events that a newer one writes, and would skip them. So while several releases run at the same time,
 * the newest one publishes: it takes the lease from an older one, which can claim it again only after the newer one has been away for
 * `NEWER_RELEASE_KEEPS_MS`.
 */
export abstract class RelayCheckpoints {
  /**
   * Returns null while another owner of this release holds the lease, or a newer release keeps it. The owner that holds it gets it again, with a
   * new epoch.
   */
  abstract claim(relay: string, owner: string, ttlMs: number, release: number): Promise<RelayLease | null>;
  /** Moves the position (never back) and renews the lease. Returns false when another owner has claimed the lease. */
  abstract advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean>;
  /** Releases the lease if this epoch still holds it. */
  abstract release(relay: string, epoch: number): Promise<void>;
  /** The position that the relay has reached in any process; 0 before its first claim. */
  abstract position(relay: string): Promise<number>;
}
