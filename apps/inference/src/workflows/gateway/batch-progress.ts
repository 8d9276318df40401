import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { ExecuteGatewayBatch } from '../../commands/aggregates.ts';
import type { GatewayBatchCommand } from '../../domain/gateway/gateway-batch.ts';
import { GatewayBatchById } from '../../projections/gateway/gateway-batches.ts';
import type { BatchRun } from './batch-run.ts';

/** How long a crashed worker blocks a batch. */
const BATCH_LEASE_MILLIS = 60_000;
/** How often progress is recorded, which renews the lease and finds out about a cancellation. */
const PROGRESS_MILLIS = 1_000;
/** Without progress, the lease is renewed this often. */
const RENEW_MILLIS = 10_000;

/** Records what the workers of batches do, in the streams of their batches. */
@Injectable()
export class BatchProgress {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  execute(batchId: string, command: GatewayBatchCommand) {
    return this.commands.execute(new ExecuteGatewayBatch(batchId, command));
  }

  lease(claim: string) {
    return { claim, leaseUntil: Instant.plus(this.clock.now(), BATCH_LEASE_MILLIS) };
  }

  /** Records progress until the work is over. A cancellation, the expiry of the batch and a lost lease end the run. */
  async record(
    run: BatchRun,
    of: { batchId: string; claim: string; expiresAt: Instant; lost: AbortController; over: AbortSignal },
  ): Promise<void> {
    let recorded = run.progress.through;
    let renewedAt = this.clock.steady();
    for (;;) {
      await pause(PROGRESS_MILLIS, undefined, { signal: of.over }).catch(() => undefined);
      if (of.over.aborted) return;
      if (of.expiresAt <= this.clock.now()) run.end('expired');
      const { progress } = run;
      const isDue = progress.through > recorded || this.clock.steady() - renewedAt >= RENEW_MILLIS;
      try {
        if (await this.isCancelled(of.batchId)) run.end('cancelled');
        if (!isDue) continue;
        await this.execute(of.batchId, { type: 'Advance', ...progress, ...this.lease(of.claim) });
        recorded = progress.through;
        renewedAt = this.clock.steady();
      } catch (error) {
        // The log may be away for a while. A lease that has ended may have been taken.
        if (!isTakenOver(error) && this.clock.steady() - renewedAt < BATCH_LEASE_MILLIS) continue;
        run.end('stopping');
        of.lost.abort(new Error('another worker has the batch'));
        return;
      }
    }
  }

  private async isCancelled(batchId: string): Promise<boolean> {
    const row = await this.queries.execute(new GatewayBatchById(batchId));
    return row === null || row.cancelling_at !== null;
  }
}

/** Another worker has the batch, or it was removed. */
export const isTakenOver = (error: unknown): boolean => error instanceof Refusal && error.code === 'batch_taken_over';
