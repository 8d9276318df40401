import type { Instant } from '@parlance/decider';

/** A run that this process has claimed. */
export interface ClaimedRun {
  readonly botId: string;
  readonly ownerUserId: string;
  readonly runId: string;
  /** Identifies this attempt at the run, and the index that it builds. */
  readonly claim: string;
  readonly wanted: number;
  readonly deadline: Instant;
}
