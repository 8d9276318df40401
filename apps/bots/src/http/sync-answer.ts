import { Instant } from '@parlance/decider';
import { SYNC_STEPS, type SyncCount } from '../domain/knowledge-sync.ts';
import type { SyncRow } from '../projections/knowledge.ts';
import type { KnowledgeSync } from './answers.ts';

const NOTHING: SyncCount = { done: 0, failed: 0, total: 0, unchanged: 0 };

/** The answer for the newest run of a bot. */
export function syncAnswer(state: SyncRow, reason: string): KnowledgeSync {
  const { bot_id, status, run, chunks, next_time } = state;
  const { pages = NOTHING, sitemaps = NOTHING, s3 = NOTHING, files = NOTHING, chunks: made = 0 } = run?.counts ?? {};
  // While a newer run waits, the figures of the run before it are not its own.
  const isWaiting = status === 'QUEUED';
  const step = isWaiting ? 'queue' : (run?.step ?? 'complete');
  return {
    bot_id,
    execution_id: run?.id ?? null,
    sync_status: status,
    reason,
    because: run?.because ?? null,
    step,
    steps: stepsOf(status, step),
    sources: isWaiting ? { pages: NOTHING, sitemaps: NOTHING, s3: NOTHING, files: NOTHING } : { pages, sitemaps, s3, files },
    chunks: isWaiting ? 0 : made,
    chunks_in_service: chunks,
    start_time: run?.started ?? null,
    end_time: run?.finished ?? null,
    next_run_time: next_time === null ? null : Instant.toSeconds(Instant.ofMillis(next_time)),
  };
}

function stepsOf(status: SyncRow['status'], step: KnowledgeSync['step']): KnowledgeSync['steps'] {
  const reached = SYNC_STEPS.indexOf(step);
  const here = ({ QUEUED: 'waiting', RUNNING: 'running', SUCCEEDED: 'done', FAILED: 'failed' } as const)[status];
  return SYNC_STEPS.map((each, nth) => ({ step: each, state: nth < reached ? 'done' : nth > reached ? 'waiting' : here }));
}
