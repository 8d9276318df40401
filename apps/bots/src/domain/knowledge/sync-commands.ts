import type { Instant } from '@parlance/decider';
import type { SyncCounts, SyncStep } from './sync-events.ts';
import type { SyncFault } from './sync-faults.ts';
import type { SyncWarnings } from './source-warnings.ts';

export type SyncCommand =
  /** Reads the sources again, without a change of the bot. */
  | { type: 'Request'; by: string }
  /** The schedule is due. */
  | { type: 'RequestOnSchedule'; due: Instant }
  /** A worker takes the run of the bot's version `wanted`, or continues a run whose worker was lost. */
  | { type: 'Claim'; runId: string; claim: string; wanted: number; now: Instant; leaseUntil: Instant; deadline: Instant }
  | { type: 'Advance'; runId: string; claim: string; step: SyncStep; counts: SyncCounts; leaseUntil: Instant }
  /** `generation` is the finished index; null if the bot no longer has knowledge. */
  | {
      type: 'Succeed';
      runId: string;
      claim: string;
      generation: string | null;
      fingerprint: string;
      counts: SyncCounts;
      warnings: SyncWarnings | null;
    }
  /** `reason` and `cause` are sealed, because they name sources. */
  | { type: 'Fail'; runId: string; claim: string; reason: string; cause: string; failures: number; step: SyncStep; counts: SyncCounts }
  /**
   * A worker gives up its try for a fault that is not in a source, such as an embedding model that does not answer. `reason` is for a run that
   * fails, `retryReason` for one that is tried again. Both and `cause` are sealed.
   */
  | {
      type: 'Interrupt';
      runId: string;
      claim: string;
      reason: string;
      retryReason: string;
      cause: string;
      fault: SyncFault;
      now: Instant;
      step: SyncStep;
      counts: SyncCounts;
    }
  /** The bot is reserved for a publication, which needs knowledge that was read successfully. `wanted` is the version to be read. */
  | { type: 'ConfirmForPublication'; number: number; wanted: number }
  /** The bot is deleted, and its indexes are about to be removed. */
  | { type: 'Remove'; ownerUserId: string; chunks: number };
