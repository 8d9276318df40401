import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { knowledgeSync } from '../src/domain/knowledge/knowledge-sync.ts';
import type { SyncCommand } from '../src/domain/knowledge/sync-commands.ts';
import type { SyncCounts, SyncEvent } from '../src/domain/knowledge/sync-events.ts';

/** Commands and events of runs. A worker has a lease of one minute. */
export const given = specify(knowledgeSync);

export const at = (minutes: number) => Instant.ofMillis(minutes * 60_000);
const nothing = { done: 0, failed: 0, total: 0, unchanged: 0 };
export const counts: SyncCounts = { pages: nothing, sitemaps: nothing, s3: nothing, files: { ...nothing, done: 1, total: 1 }, chunks: 3 };

export const claim = (runId: string, wanted: number, now: number): SyncCommand => ({
  type: 'Claim',
  runId,
  claim: `${runId}-claim`,
  wanted,
  now: at(now),
  leaseUntil: at(now + 1),
  deadline: at(now + 100),
});

export const started = (runId: string, wanted: number, now: number, because: 'saved' | 'requested' | 'scheduled' = 'saved'): SyncEvent => ({
  type: 'SyncStarted',
  runId,
  wanted,
  because,
  claim: `${runId}-claim`,
  leaseUntil: at(now + 1),
  deadline: at(now + 100),
});

export const first = started('one', 1, 0);
export const succeed = (runId: string, claimed = `${runId}-claim`): SyncCommand => ({
  type: 'Succeed',
  runId,
  claim: claimed,
  generation: claimed,
  fingerprint: 'f',
  counts,
  warnings: null,
});
export const succeeded = (runId: string, wanted: number): SyncEvent => ({
  type: 'SyncSucceeded',
  runId,
  wanted,
  generation: `${runId}-claim`,
  fingerprint: 'f',
  counts,
});
export const failed: SyncEvent = {
  type: 'SyncFailed',
  runId: 'one',
  wanted: 1,
  because: 'sources',
  reason: 'sealed',
  cause: 'sealed cause',
  failures: 1,
  step: 'parse',
  counts,
};
export const removed = { type: 'KnowledgeRemoved', ownerUserId: 'ann', chunks: 3 } as const satisfies SyncEvent;
