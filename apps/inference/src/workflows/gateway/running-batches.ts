import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, FILES_HEALTH, LOGGER, type ObjectStoreHealth, PagedRounds } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { FileKey, type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import type { Logger } from 'pino';
import { BatchResultStore } from '../../adapters/gateway/batch-results.ts';
import { type GatewayBatch, isBatchOf } from '../../domain/gateway/gateway-batch.ts';
import { GatewayBatchById, type GatewayBatchRow, type PendingBatchRow, WaitingBatches } from '../../projections/gateway/gateway-batches.ts';
import { BatchInput, InputRemoved } from './batch-input.ts';
import type { BatchEndpoint } from './batch-lines.ts';
import { BatchOutputs } from './batch-outputs.ts';
import { BatchProgress, isTakenOver } from './batch-progress.ts';
import { BatchRun } from './batch-run.ts';
import { BatchTokens } from './batch-tokens.ts';
import { LineCalls } from './line-calls.ts';

export type Metadata = Readonly<Record<string, string>>;

/** What is sealed of a batch. */
export interface BatchSecrets {
  readonly metadata: Metadata | null;
  /** The key of the results of its requests. */
  readonly key: string;
}

/** Batches that one process works on at the same time. */
const BATCHES_AT_ONCE = 4;
/** How long calls in flight may go on when the process stops. */
const STOP_MILLIS = 8_000;
/** The pauses before a batch whose worker has failed is taken up again. They grow with each attempt, but are shorter than the longest lease. */
const [FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS] = [60_000, 600_000];
/** Failures of workers are reported this often. */
const REPORT_MILLIS = 600_000;

/** Works on the batches. If a process crashes, another one goes on with its batches. */
@Injectable()
export class RunningBatches {
  private readonly stopping = new AbortController();
  private isStopping = false;
  private taking: Promise<void> | null = null;
  private readonly runs = new Map<string, BatchRun>();
  private readonly working = new Map<string, Promise<void>>();
  /** One batch of each user at a time, so that one user's batches do not keep those of others waiting. */
  private readonly users = new Set<string>();
  private reportedAt = -Infinity;
  private unreported = 0;
  private readonly rounds = new PagedRounds<PendingBatchRow, Cursor>('batches could not be started', ({ batch_id }) => batch_id);

  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly input: BatchInput,
    private readonly results: BatchResultStore,
    private readonly outputs: BatchOutputs,
    private readonly tokens: BatchTokens,
    private readonly calls: LineCalls,
    private readonly progress: BatchProgress,
    private readonly clock: Clock,
    @Inject(FILES_HEALTH) private readonly storage: Pick<ObjectStoreHealth, 'state'> | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const run of this.runs.values()) run.end('stopping');
    const all = Promise.allSettled(this.working.values());
    await Promise.race([all, pause(STOP_MILLIS, undefined, { ref: false })]);
    this.stopping.abort(new Error('this process ends'));
    await all;
  }

  /** Ends the run of a batch that is being cancelled, if this process has it. Others notice it when they record progress. */
  cancel(batchId: string): void {
    this.runs.get(batchId)?.end('cancelled');
  }

  /** Starts now, instead of at the next run of the timer. */
  wake(): void {
    void RequestContext.run(RequestContext.background(), () => this.takeWaiting()).catch((error: unknown) => {
      this.log.error({ err: error }, 'a batch could not be started; the timer will start it');
    });
  }

  /** Begins with batches that no worker has. */
  takeWaiting(): Promise<void> {
    this.taking ??= this.take().finally(() => (this.taking = null));
    return this.taking;
  }

  private async take(): Promise<void> {
    if (this.working.size >= BATCHES_AT_ONCE || (await this.storage?.state())?.status === 'down') return;
    await this.rounds.run(
      (after) => this.queries.execute(new WaitingBatches(this.clock.now(), after)),
      async ({ batch_id, user_id }) => {
        if (this.working.size >= BATCHES_AT_ONCE || this.working.has(batch_id) || this.users.has(user_id) || this.isStopping) return;
        this.users.add(user_id);
        this.working.set(
          batch_id,
          this.work(batch_id).finally(() => {
            this.working.delete(batch_id);
            this.users.delete(user_id);
          }),
        );
      },
    );
  }

  private async work(batchId: string): Promise<void> {
    const claim = newId();
    try {
      const { state } = await this.progress.execute(batchId, { type: 'Claim', now: this.clock.now(), ...this.progress.lease(claim) });
      if (!isBatchOf(state, claim)) return;
      const row = await this.queries.execute(new GatewayBatchById(batchId));
      const secrets = row && (await this.vault.openJson<BatchSecrets>(row.sealed as Sealed));
      // The user was erased.
      if (!row || !secrets) return;
      await this.process(row, FileKey.of(secrets.key), claim, state);
    } catch (error) {
      // When the lease has ended, a worker takes the batch again, possibly this one.
      if (!isTakenOver(error) && !this.stopping.signal.aborted) this.report(error, batchId);
    }
  }

  private async process(row: GatewayBatchRow, key: FileKey, claim: string, begun: GatewayBatch): Promise<void> {
    const { batch_id: batchId, user_id: userId, token_id: tokenId } = row;
    const endpoint = row.endpoint as BatchEndpoint;
    const file = { userId, fileId: row.input_file_id, endpoint };
    let { phase, lines, because, isCancelled } = begun;
    const unlessStopping = () => this.stopping.signal.throwIfAborted();
    if (phase === 'validating' && !begun.isCancelled) {
      const checked = await this.input.check(file, unlessStopping).catch((error: unknown) => {
        if (error instanceof InputRemoved) return { errors: [NO_INPUT] };
        throw error;
      });
      const now = this.clock.now();
      if ('errors' in checked) return void (await this.progress.execute(batchId, { type: 'Fail', claim, errors: checked.errors, now }));
      ({ lines, phase, isCancelled } = (
        await this.progress.execute(batchId, { type: 'Validate', claim, lines: checked.lines, now })
      ).state);
    }
    // A lost lease ends the calls in flight, because another worker makes them.
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    const batch = { userId, batchId };
    const parts = { input: this.input, results: this.results, calls: this.calls, token: this.tokens.of({ tokenId, userId }) };
    const run = new BatchRun(parts, { batch, file, key, lines, begun: begun.ended, signal });
    if (isCancelled) run.end('cancelled');
    if (row.expires_at <= this.clock.now()) run.end('expired');
    const over = new AbortController();
    const progress = this.progress.record(run, { batchId, claim, expiresAt: row.expires_at, lost, over: over.signal });
    this.runs.set(batchId, run);
    let pauseMillis: number | null = null;
    try {
      if (phase === 'running') {
        await run.run();
        const why = run.ending;
        if (why === 'stopping') return;
        because = why ?? 'done';
      } else because ??= 'cancelled';
      await this.progress.execute(batchId, { type: 'Advance', ...run.progress, ...this.progress.lease(claim) });
      await this.progress.execute(batchId, { type: 'Finalize', claim, because, now: this.clock.now() });
      const { through } = run.progress;
      const checkIn = () => signal.throwIfAborted();
      for (const each of begun.lost) await this.outputs.remove(batch, each);
      const results = await this.outputs.write({ batch, file, key, lines, through, because, claim, checkIn });
      try {
        await this.progress.execute(batchId, { type: 'End', claim, now: this.clock.now(), ...results });
      } catch (error) {
        if (isTakenOver(error)) await this.outputs.remove(batch, claim).catch(() => undefined);
        throw error;
      }
      // A sweep removes what is left.
      await this.results.removeAll(batch).catch(() => undefined);
    } catch (error) {
      pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, begun.attempts * FIRST_PAUSE_MILLIS);
      throw error;
    } finally {
      this.runs.delete(batchId);
      over.abort();
      await progress;
      // Another process may go on at once.
      if (this.isStopping) pauseMillis = 0;
      if (pauseMillis !== null) {
        const leaseUntil = Instant.plus(this.clock.now(), pauseMillis);
        await this.progress.execute(batchId, { type: 'Advance', ...run.progress, claim, leaseUntil }).catch(() => undefined);
      }
    }
  }

  /** One line now and then: many batches may fail for the same reason, for weeks. */
  private report(error: unknown, batchId: string): void {
    this.unreported++;
    if (this.clock.steady() - this.reportedAt < REPORT_MILLIS) return;
    this.reportedAt = this.clock.steady();
    this.log.warn({ err: error, batch: batchId, failures: this.unreported }, 'the work on a batch failed; it will be taken up again');
    this.unreported = 0;
  }
}

const NO_INPUT = { code: 'input_removed', message: 'The input file of this batch was removed or is damaged.', line: null };
