import { Instant } from '@parlance/decider';
import { SYNC_STEPS, type SyncCount } from '../domain/knowledge/sync-events.ts';
import type { SyncCause } from '../domain/knowledge/sync-causes.ts';
import type { SourceWarning } from '../domain/knowledge/source-warnings.ts';
import type { RunRow, SyncRow } from '../projections/knowledge/rows.ts';
import type { KnowledgeSync } from './answers.ts';

const NOTHING: SyncCount = { done: 0, failed: 0, total: 0, unchanged: 0 };

/** A waiting run has no ID and no figures yet. Those of the previous run are not shown for it. */
export const shownRun = ({ status, run }: SyncRow): RunRow | null => (status === 'QUEUED' ? null : run);

/** The warnings that are kept, and the total number. */
export interface ShownWarnings {
  readonly warnings: readonly SourceWarning[];
  readonly warning_count: number;
}

/** Why the run failed, or is tried again. */
export interface ShownReason {
  readonly reason: string;
  readonly cause: SyncCause | null;
}

/** The answer for the newest run of a bot. */
export function syncAnswer(state: SyncRow, reason: ShownReason, warnings: ShownWarnings): KnowledgeSync {
  const { bot_id, status, wanted, settled, requested, chunks, next_time } = state;
  const isWaiting = status === 'QUEUED';
  const run = shownRun(state);
  const { pages = NOTHING, sitemaps = NOTHING, s3 = NOTHING, files = NOTHING, chunks: made = 0 } = run?.counts ?? {};
  const step = isWaiting ? 'queue' : (run?.step ?? 'complete');
  const because = isWaiting ? (wanted > settled ? 'saved' : requested) : (run?.because ?? null);
  return {
    bot_id,
    execution_id: run?.id ?? null,
    sync_status: status,
    ...reason,
    because,
    step,
    steps: stepsOf(status, step),
    sources: { pages, sitemaps, s3, files },
    ...warnings,
    chunks: made,
    chunks_in_service: chunks,
    start_time: run?.started ?? null,
    end_time: run?.finished ?? null,
    next_run_time: next_time === null ? null : Instant.toSeconds(Instant.ofMillis(next_time)),
  };
}

function stepsOf(status: SyncRow['status'], step: KnowledgeSync['step']): KnowledgeSync['steps'] {
  const reached = SYNC_STEPS.indexOf(step);
  const here = ({ QUEUED: 'waiting', RUNNING: 'running', SUCCEEDED: 'done', FAILED: 'failed' } as const)[status];
  return SYNC_STEPS.map((each, index) => ({ step: each, state: index < reached ? 'done' : index > reached ? 'waiting' : here }));
}
