import type { Instant } from '@parlance/decider';
import type { SyncWarnings } from './source-warnings.ts';

/** The steps of a run, in their order. `queue` is the time before a worker takes the run. */
export const SYNC_STEPS = ['queue', 'download', 'parse', 'embed', 'index', 'complete'] as const;
export type SyncStep = (typeof SYNC_STEPS)[number];

/** How many items are done. `unchanged` items are included in `done`. */
export interface SyncCount {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly unchanged: number;
}

/** Progress by kind of source, and the chunks of the new index. */
export interface SyncCounts {
  readonly pages: SyncCount;
  readonly sitemaps: SyncCount;
  readonly s3: SyncCount;
  readonly files: SyncCount;
  readonly chunks: number;
}

export const SYNC_REASONS = ['saved', 'requested', 'scheduled'] as const;
export type SyncReason = (typeof SYNC_REASONS)[number];

export type SyncFailure = 'sources' | 'deadline' | 'fault';

export type SyncEvent =
  | { type: 'SyncRequested'; by: string }
  | { type: 'SyncScheduled'; due: Instant }
  | {
      type: 'SyncStarted';
      runId: string;
      wanted: number;
      because: SyncReason;
      claim: string;
      leaseUntil: Instant;
      deadline: Instant;
    }
  | { type: 'SyncTakenOver'; runId: string; claim: string; leaseUntil: Instant }
  | { type: 'SyncAdvanced'; runId: string; step: SyncStep; counts: SyncCounts; leaseUntil: Instant }
  /** `reason` and `cause` are sealed, and absent in earlier events. A try that ended because of the object store does not count. */
  | { type: 'SyncInterrupted'; runId: string; leaseUntil: Instant; reason?: string; cause?: string; because?: 'storage' }
  | { type: 'SyncAbandoned'; runId: string }
  | {
      type: 'SyncSucceeded';
      runId: string;
      wanted: number;
      generation: string | null;
      fingerprint: string;
      counts: SyncCounts;
      /** Absent without warnings, and in earlier events. */
      warnings?: SyncWarnings;
    }
  | {
      type: 'SyncFailed';
      runId: string;
      wanted: number;
      because: SyncFailure;
      reason: string | null;
      /** The parts of the reason, sealed. Absent if the deadline ended the run, and in earlier events. */
      cause?: string;
      failures: number;
      /** The furthest step that the run reached. Absent if the deadline ended the run, and in earlier events. */
      step?: SyncStep;
      counts: SyncCounts | null;
    }
  | { type: 'SyncConfirmedForPublication'; number: number }
  | { type: 'KnowledgeRemoved'; ownerUserId: string; chunks: number };
