import { type Decider, type Decision, Instant, isLeased, refuse } from '@parlance/decider';
import { ENDED_BATCH_MILLIS, FINALIZING_MILLIS, MOST_BATCH_ATTEMPTS, MOST_LOST_WORKERS } from './gateway-limits.ts';

/** What a program requests. */
export interface NewBatch {
  readonly userId: string;
  readonly tokenId: string;
  /** Below `/v1/`, such as `chat/completions`. */
  readonly endpoint: string;
  readonly inputFileId: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
  /** The metadata and the key of the results, sealed under a key of the batch. */
  readonly sealed: string;
}

interface Lease {
  readonly claim: string;
  readonly leaseUntil: Instant;
}

/** Requests that have ended. */
export interface Ended {
  /** All requests before this one have ended: the first is number 0. */
  readonly through: number;
  readonly completed: number;
  readonly failed: number;
}

/** A fault that ends the batch. It has no content of the file. */
export interface BatchError {
  readonly code: string;
  readonly message: string;
  /** The first line is 1. Null if the fault is not in a line. */
  readonly line: number | null;
}

/**
 * Why no further request begins. `token_ended`: the token of the batch may no longer call models. `input_removed`: its file was removed or is damaged.
 * `internal_error`: too many workers have failed.
 */
export type EndReason = 'done' | 'cancelled' | 'expired' | 'token_ended' | 'input_removed' | 'internal_error';
/** The names are those of OpenAI. */
export type EndStatus = 'completed' | 'cancelled' | 'expired' | 'failed';

export interface BatchResults {
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  readonly completed: number;
  readonly failed: number;
}

export type GatewayBatchCommand =
  | ({ type: 'Create' } & NewBatch)
  | ({ type: 'Claim'; now: Instant } & Lease)
  /** The requests of the file are valid. */
  | { type: 'Validate'; claim: string; lines: number; now: Instant }
  /** Also renews the lease. */
  | ({ type: 'Advance' } & Lease & Ended)
  | { type: 'Cancel'; now: Instant }
  /** No further request begins. */
  | { type: 'Finalize'; claim: string; because: EndReason; now: Instant }
  | ({ type: 'End'; claim: string; now: Instant } & BatchResults)
  | { type: 'Fail'; claim: string; errors: readonly BatchError[]; now: Instant }
  /** Removes a batch that has ended from the lists. */
  | { type: 'Expire'; now: Instant }
  | { type: 'Erase' };

export type GatewayBatchEvent =
  | ({ type: 'GatewayBatchCreated' } & NewBatch)
  | ({ type: 'GatewayBatchClaimed' } & Lease)
  | { type: 'GatewayBatchValidated'; lines: number; at: Instant }
  /** The results of these requests are stored. */
  | ({ type: 'GatewayBatchAdvanced' } & Lease & Ended)
  | { type: 'GatewayBatchCancelRequested'; at: Instant }
  | { type: 'GatewayBatchFinalizing'; because: EndReason; at: Instant }
  | ({ type: 'GatewayBatchEnded'; status: EndStatus; errors: readonly BatchError[]; at: Instant; listedUntil: Instant } & BatchResults)
  | { type: 'GatewayBatchRemoved'; because: 'expired' | 'user_erased' };

export interface GatewayBatch {
  readonly phase: 'absent' | 'validating' | 'running' | 'finalizing' | 'ended' | 'removed';
  readonly lines: number;
  readonly ended: Ended;
  readonly isCancelled: boolean;
  readonly because: EndReason | null;
  readonly lease: Lease | null;
  /** Workers that began since the last progress. */
  readonly attempts: number;
  readonly finalizingAt: Instant | null;
  /** Workers that may have crashed while they stored the files, the last ones. */
  readonly lost: readonly string[];
  readonly listedUntil: Instant | null;
}

const NOTHING: BatchResults = { outputFileId: null, errorFileId: null, completed: 0, failed: 0 };

/** Whether this worker works on the batch. */
export const isBatchOf = ({ phase, lease }: GatewayBatch, claim: string): boolean =>
  lease?.claim === claim && (phase === 'validating' || phase === 'running' || phase === 'finalizing');

/** Whether the stored results of requests are needed. */
export const needsResults = ({ phase }: GatewayBatch): boolean => phase === 'validating' || phase === 'running' || phase === 'finalizing';

/** One batch of requests. A request is decided when its result is stored. The stream records up to which one all are decided. */
export const gatewayBatch: Decider<GatewayBatchCommand, GatewayBatchEvent, GatewayBatch> = {
  initialState: {
    phase: 'absent',
    lines: 0,
    ended: { through: 0, completed: 0, failed: 0 },
    isCancelled: false,
    because: null,
    lease: null,
    attempts: 0,
    finalizingAt: null,
    lost: [],
    listedUntil: null,
  },
  snapshots: { every: 200, shape: 'gateway-batch-2' },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const { type: _, ...batch } = command;
        // Otherwise a repeat of the request.
        return state.phase === 'absent' ? [{ type: 'GatewayBatchCreated', ...batch }] : [];
      }
      case 'Cancel':
        if (state.phase === 'absent' || state.phase === 'removed') return batchNotFound();
        // OpenAI refuses it too.
        if (state.phase === 'ended' || state.because === 'done') return batchEnded();
        return state.isCancelled || state.phase === 'finalizing' ? [] : [{ type: 'GatewayBatchCancelRequested', at: command.now }];
      case 'Expire':
        return state.phase === 'ended' && state.listedUntil !== null && state.listedUntil <= command.now
          ? [{ type: 'GatewayBatchRemoved', because: 'expired' }]
          : [];
      case 'Erase':
        return state.phase === 'absent' || state.phase === 'removed' ? [] : [{ type: 'GatewayBatchRemoved', because: 'user_erased' }];
      case 'Claim': {
        const { claim, leaseUntil, now: at } = command;
        // The batch has ended, or this is a repeat.
        if (!needsResults(state) || state.lease?.claim === claim) return [];
        if (isLeased(state.lease?.leaseUntil, at)) return takenOver();
        if (isGivenUp(state, at))
          return [ended(at, 'failed', { ...NOTHING, ...state.ended }, [{ code: 'internal_error', message: STUCK, line: null }])];
        const claimed = { type: 'GatewayBatchClaimed', claim, leaseUntil } as const;
        // The answers are paid for, so they are put into files.
        return state.phase === 'running' && state.attempts >= MOST_BATCH_ATTEMPTS
          ? [{ type: 'GatewayBatchFinalizing', because: 'internal_error', at }, claimed]
          : [claimed];
      }
      default:
        return isBatchOf(state, command.claim) ? worked(command, state) : takenOver();
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'GatewayBatchCreated':
        return { ...state, phase: 'validating' };
      case 'GatewayBatchClaimed':
        return { ...state, lease: leaseOf(event), attempts: state.attempts + 1, lost: lostWith(state) };
      case 'GatewayBatchValidated':
        return { ...state, phase: 'running', lines: event.lines, attempts: 0 };
      case 'GatewayBatchAdvanced': {
        const { through, completed, failed } = event;
        const attempts = through > state.ended.through ? 0 : state.attempts;
        return { ...state, lease: leaseOf(event), ended: { through, completed, failed }, attempts };
      }
      case 'GatewayBatchCancelRequested':
        return { ...state, isCancelled: true };
      case 'GatewayBatchFinalizing':
        return { ...state, phase: 'finalizing', because: event.because, attempts: 0, finalizingAt: event.at };
      case 'GatewayBatchEnded':
        return { ...state, phase: 'ended', lease: null, listedUntil: event.listedUntil };
      case 'GatewayBatchRemoved':
        return { ...state, phase: 'removed', lease: null };
    }
  },
};

/** Nothing is paid for yet while a batch is validated. Its answers are kept for long while no worker can put them into files. */
function isGivenUp({ phase, attempts, finalizingAt }: GatewayBatch, now: Instant): boolean {
  if (phase === 'validating') return attempts >= MOST_BATCH_ATTEMPTS;
  return finalizingAt !== null && now >= Instant.plus(finalizingAt, FINALIZING_MILLIS);
}

type WorkerCommand = Extract<GatewayBatchCommand, { type: 'Validate' | 'Advance' | 'Finalize' | 'End' | 'Fail' }>;

/** Commands of the worker that has the batch. */
function worked(command: WorkerCommand, state: GatewayBatch): Decision<GatewayBatchEvent> {
  switch (command.type) {
    case 'Validate':
      return state.phase === 'validating' ? [{ type: 'GatewayBatchValidated', lines: command.lines, at: command.now }] : [];
    case 'Advance': {
      const { claim, leaseUntil, through, completed, failed } = command;
      // A worker that begins again counts the stored results again.
      if (through < state.ended.through) return takenOver();
      return [{ type: 'GatewayBatchAdvanced', claim, leaseUntil, through, completed, failed }];
    }
    case 'Finalize':
      return state.phase === 'finalizing' ? [] : [{ type: 'GatewayBatchFinalizing', because: command.because, at: command.now }];
    case 'End': {
      const { outputFileId, errorFileId, completed, failed, now } = command;
      if (state.because === null) return takenOver();
      const message = FAULTS[state.because];
      const errors = message === undefined ? [] : [{ code: state.because, message, line: null }];
      return [ended(now, STATUS_OF[state.because], { outputFileId, errorFileId, completed, failed }, errors)];
    }
    case 'Fail':
      return [ended(command.now, 'failed', { ...NOTHING, ...state.ended }, command.errors)];
  }
}

const STATUS_OF: Readonly<Record<EndReason, EndStatus>> = {
  done: 'completed',
  cancelled: 'cancelled',
  expired: 'expired',
  token_ended: 'failed',
  input_removed: 'failed',
  internal_error: 'failed',
};
const FAULTS: Readonly<Partial<Record<EndReason, string>>> = {
  token_ended: 'The token of this batch may no longer call models. The remaining requests were not sent.',
  input_removed: 'The input file of this batch was removed or is damaged. The remaining requests were not sent.',
  internal_error: 'The server failed too often while it processed this batch. The remaining requests were not sent.',
};
const STUCK = 'The server could not process this batch. Create it again.';

function ended(at: Instant, status: EndStatus, results: BatchResults & Partial<Ended>, errors: readonly BatchError[]): GatewayBatchEvent {
  const { outputFileId, errorFileId, completed, failed } = results;
  const listedUntil = Instant.plus(at, ENDED_BATCH_MILLIS);
  return { type: 'GatewayBatchEnded', status, errors, at, listedUntil, outputFileId, errorFileId, completed, failed };
}

function lostWith({ phase, lease, lost }: GatewayBatch): readonly string[] {
  return phase === 'finalizing' && lease ? [...lost, lease.claim].slice(-MOST_LOST_WORKERS) : lost;
}

const leaseOf = ({ claim, leaseUntil }: Lease): Lease => ({ claim, leaseUntil });

export const batchNotFound = () => refuse('missing', 'batch_not_found', 'There is no such batch, or it is not yours.');

const batchEnded = () => refuse('conflict', 'batch_ended', 'This batch has ended, or all of its requests have.');

const takenOver = () => refuse('conflict', 'batch_taken_over', 'Another worker has taken over this batch.');

export const gatewayBatchStream = (batchId: string) => `gatewaybatch-${batchId}`;
