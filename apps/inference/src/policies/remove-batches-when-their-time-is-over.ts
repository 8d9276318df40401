import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { BatchResultStore, type StoredResult } from '../adapters/gateway/batch-results.ts';
import { BatchesListedUntil, type GatewayBatchRow } from '../projections/gateway/gateway-batches.ts';
import { GatewayBatches } from '../workflows/gateway/gateway-batches.ts';

/** Removes batches that ended long ago from the lists, and results that the end of a batch has left. */
@Injectable()
export class RemoveBatchesWhenTheirTimeIsOver {
  private readonly ended = new PagedRounds<GatewayBatchRow, Cursor>('batches could not be removed', ({ batch_id }) => batch_id);
  private readonly sweeps = new PagedRounds<StoredResult, string>('results of batches could not be checked', ({ key }) => key);

  constructor(
    private readonly queries: QueryBus,
    private readonly batches: GatewayBatches,
    private readonly results: BatchResultStore,
    private readonly clock: Clock,
  ) {}

  async remove(): Promise<void> {
    await this.ended.run(
      (after) => this.queries.execute(new BatchesListedUntil(this.clock.now(), after)),
      (row) => this.batches.expire(row),
    );
  }

  /** Checks the next page of results, and after the last one starts again. The stream of a batch shows whether its results are needed. */
  async sweep(): Promise<void> {
    const checked = new Set<string>();
    await this.sweeps.run(
      async (after) => {
        const rows = await this.results.stored(after);
        return { rows, next: rows.at(-1)?.key ?? null };
      },
      async (result) => {
        if (checked.has(result.batchId)) return;
        checked.add(result.batchId);
        if (!(await this.batches.needsResults(result))) await this.results.removeAll(result);
      },
    );
  }
}
