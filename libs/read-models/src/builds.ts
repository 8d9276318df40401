import type { TableOwner } from './read-models.ts';

/** One generation of a projection's rows: the living one, or one that is being made from nothing beside it. */
export interface Build {
  readonly projection: string;
  readonly generation: number;
  /** Of the functions that filled it. */
  readonly version: number;
  readonly checkpoint: number;
}

/** The generations of every projection. At most one is being built beside the living one, by whoever holds the claim on it. */
export abstract class Builds {
  /** As the store has it now. Rejects when the projection was never prepared. */
  abstract living(projection: string): Promise<Build>;
  /**
   * Starts the next generation, empty, and clears away what an earlier try left behind. Answers null while another builder's
   * claim runs: it ends unless renewed within `leaseMs`.
   */
  abstract begin(owner: TableOwner, builder: string, leaseMs: number): Promise<Build | null>;
  /** Answers false when the build is lost: another builder has begun anew. */
  abstract renew(build: Build, builder: string, leaseMs: number): Promise<boolean>;
  /**
   * For a while, batches on the living generation are refused with `Held`; every one that was accepted can be read. The hold
   * is broken by the first batch after that while.
   */
  abstract hold(projection: string, builder: string, leaseMs: number): Promise<void>;
  abstract release(projection: string, builder: string): Promise<void>;
  /**
   * Makes the build the living one, in one write, and drops the one before. Answers false, having changed nothing, when the
   * living one has read further, or (where `held` is asked for) this builder's latest hold was broken. Rejects with `BuildLost`.
   */
  abstract switchTo(build: Build, builder: string, condition: 'as-far' | 'held'): Promise<boolean>;
  /** Drops a build that is not to be. */
  abstract abandon(build: Build): Promise<void>;
}
