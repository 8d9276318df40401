import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, FILES_HEALTH, LOGGER, type ObjectStoreHealth, PagedRounds } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { archiveOf } from '../../adapters/own-data/archive.ts';
import { OwnExportFiles, type OwnExportFile } from '../../adapters/own-data/own-export-files.ts';
import { ExecuteOwnExport } from '../../commands/aggregates.ts';
import { isClaimedBy, type OwnExportCommand, type Progress } from '../../domain/own-data/own-export.ts';
import { type PendingOwnExportRow, WaitingOwnExports } from '../../projections/own-data/own-exports.ts';
import { OwnDataArchive } from './own-data-archive.ts';
import { type Cursor } from '@parlance/read-models';

/** How long a crashed worker blocks an export. */
export const OWN_EXPORT_LEASE_MILLIS = 60_000;
/** How often progress is recorded, which renews the lease. */
const PROGRESS_MILLIS = 5_000;

/** Writes the requested archives, one at a time in each process. If a process crashes, another one starts its export again. */
@Injectable()
export class WritingOwnExports {
  private readonly stopping = new AbortController();
  private working: Promise<void> | null = null;
  private readonly rounds = new PagedRounds<PendingOwnExportRow, Cursor>(
    'exports of own data could not be started',
    ({ export_id }) => export_id,
  );

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly archive: OwnDataArchive,
    private readonly files: OwnExportFiles,
    private readonly clock: Clock,
    @Inject(FILES_HEALTH) private readonly storage: Pick<ObjectStoreHealth, 'state'> | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async stop(): Promise<void> {
    this.stopping.abort(new Error('this process ends'));
    await this.working?.catch(() => undefined);
  }

  /** Starts now, instead of at the next run of the timer. */
  wake(): void {
    void RequestContext.run(RequestContext.background(), () => this.writeWaiting()).catch((error: unknown) => {
      this.log.error({ err: error }, 'an export of own data could not be started; the timer will start it');
    });
  }

  /** Writes exports until none is waiting. */
  writeWaiting(): Promise<void> {
    this.working ??= this.work().finally(() => (this.working = null));
    return this.working;
  }

  private async work(): Promise<void> {
    // An export has a limited number of attempts, which a long outage would use up.
    if ((await this.storage?.state())?.status === 'down') return;
    await this.rounds.run(
      (after) => this.queries.execute(new WaitingOwnExports(this.clock.now(), after)),
      (row) => this.begin(row),
      { millis: Infinity, isStopping: () => this.stopping.signal.aborted },
    );
  }

  private async begin({ user_id: userId, export_id: exportId }: PendingOwnExportRow): Promise<void> {
    const attempt = { userId, exportId, claim: newId() };
    if (!(await this.claim(attempt))) return;
    await this.write(attempt).catch(async (error: unknown) => {
      // When the lease has ended, a worker starts it again, possibly this one.
      if (!isTakenOver(error) && !this.stopping.signal.aborted)
        this.log.warn({ err: error, export: exportId }, 'an export of own data failed; it will be started again');
      await this.files.remove(attempt).catch(() => undefined);
    });
  }

  /** False if another worker has the export, or if it has failed too often. */
  private async claim({ userId, exportId, claim }: OwnExportFile): Promise<boolean> {
    try {
      const command = { type: 'Claim', exportId, now: this.clock.now(), ...this.lease(claim) } as const;
      const { state } = await this.commands.execute(new ExecuteOwnExport(userId, command));
      return isClaimedBy(state, exportId, claim);
    } catch (error) {
      if (isTakenOver(error)) return false;
      throw error;
    }
  }

  private async write(attempt: OwnExportFile): Promise<void> {
    const { userId, exportId, claim } = attempt;
    const now = this.clock.now();
    let conversations = 0;
    let recorded = -Infinity;
    const advance = async (progress: Progress) => {
      this.stopping.signal.throwIfAborted();
      conversations = progress.total;
      if (performance.now() - recorded < PROGRESS_MILLIS) return;
      recorded = performance.now();
      await this.execute(userId, { type: 'Advance', exportId, ...progress, ...this.lease(claim) });
    };
    const entries = this.archive.entries({ exportId, userId, now, advance });
    const bytes = await this.files.put(attempt, archiveOf(entries, new Date(now)));
    await this.execute(userId, { type: 'Complete', exportId, claim, conversations, bytes, now: this.clock.now() });
  }

  private lease(claim: string) {
    return { claim, leaseUntil: Instant.plus(this.clock.now(), OWN_EXPORT_LEASE_MILLIS) };
  }

  private async execute(userId: string, command: OwnExportCommand): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(userId, command));
  }
}

/** Another worker has the export, or the user is erased. */
const isTakenOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'export_taken_over' || error.code === 'user_not_found');
