import { type Decider, Instant, isLeased, refuse } from '@parlance/decider';
import { botNotFound } from '../bot.ts';
import type { SyncCommand } from './sync-commands.ts';
import type { SyncEvent } from './sync-events.ts';
import { FIRST_PAUSE_MILLIS, MOST_TRIES, STORAGE_PAUSE_MILLIS } from './sync-faults.ts';

interface Run {
  readonly runId: string;
  readonly wanted: number;
  readonly claim: string;
  readonly leaseUntil: Instant;
  readonly deadline: Instant;
  /** The number of attempts that have ended with a fault, other than an outage of the object store. */
  readonly faults: number;
}

export interface KnowledgeSync {
  readonly run: Run | null;
  /** The newest version of the bot whose run has ended; 0 before the first. */
  readonly settled: number;
  /** A request that no run has answered yet, and its reason. */
  readonly requested: 'requested' | 'scheduled' | null;
  /** The time of the schedule's last run. */
  readonly scheduled: Instant | null;
  readonly isRemoved: boolean;
  /** Whether the last run failed. */
  readonly hasFailed?: true;
  /** The newest request to publish the bot that was confirmed. */
  readonly confirmed?: number;
}

const syncIsOver = () => refuse('conflict', 'sync_is_over', 'This run has ended, or a newer one has begun.');
const claimLost = () => refuse('conflict', 'claim_lost', 'Another worker has taken over this run.');

/**
 * The runs that read the knowledge of one bot. At most one is in progress. A save during a run starts another, which abandons it. The index
 * of the last successful run is in service.
 */
export const knowledgeSync: Decider<SyncCommand, SyncEvent, KnowledgeSync> = {
  initialState: { run: null, settled: 0, requested: null, scheduled: null, isRemoved: false },
  snapshots: { every: 50, shape: 'knowledge-sync@3' },

  decide(command, state) {
    if (command.type === 'Remove') {
      // Recorded even during the first run, so that it cannot finish with an index. If no run has read anything, there is nothing to remove.
      if (state.isRemoved || (state.run === null && state.settled === 0)) return [];
      return [{ type: 'KnowledgeRemoved', ownerUserId: command.ownerUserId, chunks: command.chunks }];
    }
    if (state.isRemoved) return botNotFound();
    switch (command.type) {
      case 'Request':
        // Requests before the first one is answered change nothing.
        return state.requested ? [] : [{ type: 'SyncRequested', by: command.by }];
      case 'RequestOnSchedule':
        // Another process may also have seen that the schedule is due.
        return state.scheduled !== null && command.due <= state.scheduled ? [] : [{ type: 'SyncScheduled', due: command.due }];
      case 'Claim':
        return claim(command, state);
      case 'ConfirmForPublication':
        return confirm(command, state);
      default:
        return step(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SyncRequested':
        return { ...state, requested: 'requested' };
      case 'SyncScheduled':
        return { ...state, requested: state.requested ?? 'scheduled', scheduled: event.due };
      case 'SyncStarted': {
        const { runId, wanted, claim: runClaim, leaseUntil, deadline } = event;
        return { ...state, requested: null, run: { runId, wanted, claim: runClaim, leaseUntil, deadline, faults: 0 } };
      }
      case 'SyncTakenOver':
        return state.run ? { ...state, run: { ...state.run, claim: event.claim, leaseUntil: event.leaseUntil } } : state;
      case 'SyncAdvanced':
        return state.run ? { ...state, run: { ...state.run, leaseUntil: event.leaseUntil } } : state;
      case 'SyncInterrupted':
        return state.run ? { ...state, run: interruptedRun(state.run, event) } : state;
      case 'SyncAbandoned':
        return { ...state, run: null };
      case 'SyncSucceeded':
        return settledBy(event.wanted, state);
      case 'SyncFailed':
        return { ...settledBy(event.wanted, state), hasFailed: true };
      case 'SyncConfirmedForPublication':
        return { ...state, confirmed: event.number };
      case 'KnowledgeRemoved': {
        const { hasFailed: _, ...rest } = state;
        return { ...rest, run: null, requested: null, isRemoved: true };
      }
    }
  },
};

function settledBy(wanted: number, { hasFailed: _, ...state }: KnowledgeSync): KnowledgeSync {
  return { ...state, run: null, settled: Math.max(state.settled, wanted) };
}

/** The append itself is the check: it sees earlier requests and runs, and later ones come after the reservation. */
function confirm({ number, wanted }: Extract<SyncCommand, { type: 'ConfirmForPublication' }>, state: KnowledgeSync) {
  if (state.confirmed === number) return [];
  const hasSucceeded = state.run === null && state.requested === null && state.settled >= wanted && !state.hasFailed;
  if (hasSucceeded) return [{ type: 'SyncConfirmedForPublication' as const, number }];
  return refuse(
    'conflict',
    'sync_not_succeeded',
    'The knowledge of the bot has not been read yet, or its last run failed. Publish it when sync_status is SUCCEEDED.',
  );
}

function claim(command: Extract<SyncCommand, { type: 'Claim' }>, { run, settled, requested }: KnowledgeSync) {
  const { runId, wanted, now, leaseUntil, deadline } = command;
  const isNewer = run === null ? wanted > settled : wanted > run.wanted;
  if (isNewer || requested) {
    const because = isNewer ? ('saved' as const) : requested!;
    const version = Math.max(wanted, run?.wanted ?? 0, settled);
    return [
      ...(run ? [{ type: 'SyncAbandoned' as const, runId: run.runId }] : []),
      { type: 'SyncStarted' as const, runId, wanted: version, because, claim: command.claim, leaseUntil, deadline },
    ];
  }
  if (!run) return syncIsOver();
  if (isLeased(run.leaseUntil, now)) return refuse('conflict', 'sync_claimed', 'Another worker has this run.');
  if (run.deadline <= now) return [timedOut(run)];
  return [{ type: 'SyncTakenOver' as const, runId: run.runId, claim: command.claim, leaseUntil }];
}

const timedOut = ({ runId, wanted }: Run) =>
  ({ type: 'SyncFailed', runId, wanted, because: 'deadline', reason: null, failures: 0, counts: null }) as const;

function step(command: Extract<SyncCommand, { type: 'Advance' | 'Succeed' | 'Fail' | 'Interrupt' }>, { run }: KnowledgeSync) {
  if (run?.runId !== command.runId) return syncIsOver();
  if (run.claim !== command.claim) return claimLost();
  const { runId, wanted } = run;
  switch (command.type) {
    case 'Advance':
      return [{ type: 'SyncAdvanced' as const, runId, step: command.step, counts: command.counts, leaseUntil: command.leaseUntil }];
    case 'Succeed':
      return [
        {
          type: 'SyncSucceeded' as const,
          runId,
          wanted,
          generation: command.generation,
          fingerprint: command.fingerprint,
          counts: command.counts,
          ...(command.warnings && { warnings: command.warnings }),
        },
      ];
    case 'Fail':
      return [
        {
          type: 'SyncFailed' as const,
          runId,
          wanted,
          because: 'sources' as const,
          reason: command.reason,
          cause: command.cause,
          failures: command.failures,
          step: command.step,
          counts: command.counts,
        },
      ];
    case 'Interrupt':
      return interrupted(command, run);
  }
}

const interruptedRun = (run: Run, { leaseUntil, because }: Extract<SyncEvent, { type: 'SyncInterrupted' }>): Run => ({
  ...run,
  leaseUntil,
  faults: because === 'storage' ? run.faults : run.faults + 1,
});

function interrupted(command: Extract<SyncCommand, { type: 'Interrupt' }>, run: Run): SyncEvent[] {
  const { reason, retryReason, cause, fault, now, step: reached, counts } = command;
  const { runId, wanted, faults } = run;
  if (fault === 'storage')
    return [
      { type: 'SyncInterrupted', runId, leaseUntil: Instant.plus(now, STORAGE_PAUSE_MILLIS), reason: retryReason, cause, because: fault },
    ];
  if (faults + 1 >= MOST_TRIES[fault])
    return [{ type: 'SyncFailed', runId, wanted, because: 'fault', reason, cause, failures: 0, step: reached, counts }];
  return [{ type: 'SyncInterrupted', runId, leaseUntil: Instant.plus(now, FIRST_PAUSE_MILLIS * 2 ** faults), reason: retryReason, cause }];
}

export const knowledgeStream = (botId: string) => `knowledge-${botId}`;
