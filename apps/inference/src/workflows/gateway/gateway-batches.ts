import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Clock, eraseEach, Streams } from '@parlance/foundation';
import { FileKey, type Sealed, Shredded, Vault } from '@parlance/privacy';
import { type BatchRef, BatchResultStore } from '../../adapters/gateway/batch-results.ts';
import { ExecuteGatewayBatch, ExecuteOpenBatches } from '../../commands/aggregates.ts';
import { batchNotFound, gatewayBatch, gatewayBatchStream, needsResults } from '../../domain/gateway/gateway-batch.ts';
import { BATCH_MILLIS } from '../../domain/gateway/gateway-limits.ts';
import { openBatches, openBatchesStream } from '../../domain/gateway/open-batches.ts';
import { GatewayBatchesOf, GatewayBatchOf, type GatewayBatchRow } from '../../projections/gateway/gateway-batches.ts';
import type { ModelCaller } from '../calls/allowed-models.ts';
import type { BatchEndpoint } from './batch-lines.ts';
import { type BatchSecrets, type Metadata, RunningBatches } from './running-batches.ts';
import { HoldsOnConversations } from '../holds/holds-on-conversations.ts';
import { StoredFiles } from './stored-files.ts';

export interface RequestedBatch {
  readonly batchId: string;
  readonly inputFileId: string;
  readonly endpoint: BatchEndpoint;
  readonly metadata: Metadata | null;
}

/** A slot without a batch is freed after this time: the request that took it has ended by then. */
const SLOT_MILLIS = 3_600_000;
/** Batches of an erased user that are removed at the same time. */
const ERASED_AT_ONCE = 8;

const subjectOf = ({ userId, batchId }: BatchRef) => ({ id: `gateway-batch:${batchId}`, within: `user:${userId}` });

/** Creates, cancels and removes batches. */
@Injectable()
export class GatewayBatches {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly files: StoredFiles,
    private readonly results: BatchResultStore,
    private readonly running: RunningBatches,
    private readonly holds: HoldsOnConversations,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `file_not_found`, `user_not_found` (missing), `not_batch_file` (invalid), `too_many_batches` and `too_many_files` (conflict). */
  async create({ userId, tokenId }: ModelCaller, { batchId, inputFileId, endpoint, metadata }: RequestedBatch): Promise<GatewayBatchRow> {
    const known = await this.queries.execute(new GatewayBatchOf(userId, batchId));
    if (known) return known;
    const { purpose } = await this.files.of(userId, inputFileId);
    if (purpose !== 'batch') throw notBatchFile();
    await this.files.requireSpaceFor(userId);
    await this.open(userId, batchId);
    const secrets: BatchSecrets = { metadata, key: FileKey.create().toSecretText() };
    const at = this.clock.now();
    const batch = { userId, tokenId, endpoint, inputFileId, at, expiresAt: Instant.plus(at, BATCH_MILLIS) };
    try {
      await this.vault.sealing(subjectOf({ userId, batchId }), async ({ json, companions, stored }) => {
        const command = { type: 'Create', ...batch, sealed: json(secrets) } as const;
        const { written } = await this.commands.execute(new ExecuteGatewayBatch(batchId, command, { companions }));
        if (written) stored();
      });
    } catch (error) {
      throw error instanceof Shredded ? refuse('missing', 'user_not_found', 'This user was erased.') : error;
    }
    const row = await this.of(userId, batchId);
    this.running.wake();
    return row;
  }

  /** Takes a slot for a batch. If none is free, it first frees the slots of batches that have ended. Throws `too_many_batches` (conflict). */
  private async open(userId: string, batchId: string): Promise<void> {
    const take = () => this.commands.execute(new ExecuteOpenBatches(userId, { type: 'Open', batchId, now: this.clock.now() }));
    try {
      await take();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'too_many_batches') throw error;
      const batchIds = await this.endedOf(userId);
      if (batchIds.length === 0) throw error;
      await this.commands.execute(new ExecuteOpenBatches(userId, { type: 'Close', batchIds }));
      await take();
    }
  }

  /** Batches in slots that have ended, or were not created because their request broke off. */
  private async endedOf(userId: string): Promise<readonly string[]> {
    const { open } = await this.streams.load(openBatches, openBatchesStream(userId));
    const before = this.clock.now() - SLOT_MILLIS;
    const ended: string[] = [];
    for (const [batchId, at] of Object.entries(open)) {
      const { phase } = await this.streams.load(gatewayBatch, gatewayBatchStream(batchId));
      if (phase === 'ended' || phase === 'removed' || (phase === 'absent' && at < before)) ended.push(batchId);
    }
    return ended;
  }

  /** Throws `batch_not_found` (missing). */
  async of(userId: string, batchId: string): Promise<GatewayBatchRow> {
    const row = await this.queries.execute(new GatewayBatchOf(userId, batchId));
    if (!row) throw batchNotFound();
    return row;
  }

  /** Null if the user was erased. */
  async metadataOf({ sealed }: GatewayBatchRow): Promise<Metadata | null> {
    return (await this.vault.openJson<BatchSecrets>(sealed as Sealed))?.metadata ?? null;
  }

  /** Throws `batch_not_found` (missing) and `batch_ended` (conflict). Requests in flight are completed. */
  async cancel(userId: string, batchId: string): Promise<GatewayBatchRow> {
    await this.of(userId, batchId);
    await this.commands.execute(new ExecuteGatewayBatch(batchId, { type: 'Cancel', now: this.clock.now() }));
    this.running.cancel(batchId);
    return this.of(userId, batchId);
  }

  /** Removes a batch that ended long ago from the lists, unless a hold keeps it. */
  async expire({ user_id: userId, batch_id: batchId }: GatewayBatchRow): Promise<void> {
    if ((await this.holds.on('user', userId)).length > 0) return;
    await this.commands.execute(new ExecuteGatewayBatch(batchId, { type: 'Expire', now: this.clock.now() }));
    await this.vault.shred(subjectOf({ userId, batchId }).id);
  }

  /** Removes all batches of an erased user. Their workers stop. */
  async erase(userId: string): Promise<void> {
    await eraseEach(
      async () => (await this.queries.execute(new GatewayBatchesOf(userId, 100, null))).map(({ batch_id }) => batch_id),
      async (batchId) => {
        await this.vault.shred(subjectOf({ userId, batchId }).id);
        await this.commands.execute(new ExecuteGatewayBatch(batchId, { type: 'Erase' }));
        await this.results.removeAll({ userId, batchId });
      },
      ERASED_AT_ONCE,
    );
  }

  /** Whether the stored results of a batch are needed. */
  async needsResults({ batchId }: BatchRef): Promise<boolean> {
    return needsResults(await this.streams.load(gatewayBatch, gatewayBatchStream(batchId)));
  }
}

const notBatchFile = (): Refusal =>
  refuse('invalid', 'not_batch_file', 'The input file must have the purpose batch.', {
    errors: [{ path: 'input_file_id', message: 'must be a file with the purpose batch' }],
  });
