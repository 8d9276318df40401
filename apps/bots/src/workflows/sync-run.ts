import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { DocumentReaderNotStarted } from '@parlance/documents';
import { Clock, FILES_HEALTH, LOGGER, ObjectStoreDown, type ObjectStoreHealth } from '@parlance/foundation';
import { Shredded, Vault } from '@parlance/privacy';
import { KnowledgeIndexes, RemoteRefused, RemoteUnavailable } from '@parlance/retrieval';
import type { Logger } from 'pino';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { botSubject } from '../commands/bot-subject.ts';
import { hasSources } from '../domain/knowledge/knowledge-sources.ts';
import { causeOf, type SyncCause } from '../domain/knowledge/sync-causes.ts';
import type { SyncCommand } from '../domain/knowledge/sync-commands.ts';
import type { SyncFault } from '../domain/knowledge/sync-faults.ts';
import type { SyncWarnings } from '../domain/knowledge/source-warnings.ts';
import { SyncOf } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { OpenedSources } from '../projections/opened-sources.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { IndexMaking } from './index-making.ts';
import { isDue, RunProgress, UNCHANGED } from './run-progress.ts';

/** How long a worker keeps a run without extending its lease, before another worker may claim the run. */
export const LEASE_MILLIS = 30_000;
const LOOK_EVERY_MILLIS = 3_000;

const RETRY = `The run is tried again by itself. ${UNCHANGED}`;
const AFTER_FAULT = `Save the bot again later. If that does not help, ask an administrator, who finds the cause in the log. ${UNCHANGED}`;

/** When an attempt began, and its last recorded progress. */
interface Records {
  readonly began: number;
  last: number;
  text: string;
}

/** Thrown to end an attempt without a result. */
class TryAbandoned extends Error {}

/** One attempt at a run: extends its lease, and records how it ends. If enough sources were read, the new index is put into service. */
@Injectable()
export class SyncRun {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sources: OpenedSources,
    private readonly making: IndexMaking,
    private readonly vault: Vault,
    private readonly indexes: KnowledgeIndexes,
    private readonly clock: Clock,
    @Inject(FILES_HEALTH) private readonly storage: Pick<ObjectStoreHealth, 'check' | 'state'> | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Resolves when the run has ended, belongs to another worker, or is left to another worker because the process stops. */
  async work(run: ClaimedRun, stopping: AbortSignal): Promise<void> {
    const progress = new RunProgress();
    const ended = new AbortController();
    const untilDeadline = AbortSignal.timeout(Math.max(0, run.deadline - this.clock.now()));
    const signal = AbortSignal.any([stopping, ended.signal, untilDeadline]);
    const records: Records = { began: performance.now(), last: performance.now(), text: '' };
    const alive = setInterval(() => void this.showLife(run, progress, records, ended), LOOK_EVERY_MILLIS);
    try {
      await this.read(run, progress, signal);
    } catch (error) {
      if (stopping.aborted) await this.leave(run, progress);
      else if (!signal.aborted && !isOver(error)) await this.interrupt(run, progress, error);
    } finally {
      clearInterval(alive);
    }
  }

  private async read(run: ClaimedRun, progress: RunProgress, signal: AbortSignal): Promise<void> {
    const sync = await this.queries.execute(new SyncOf(run.botId));
    const sources = await this.sources.of(run.botId);
    // The bot is deleted, or a newer version of it waits.
    if (!sync || !sources || sync.wanted > run.wanted) return;
    if (!hasSources(sources)) return this.succeed(run, sync, { generation: null, fingerprint: '' }, progress);
    // Otherwise the run could wait minutes for the index or a file.
    await this.storage?.check();
    const fingerprint = await this.making.of({ run, sync, sources, progress, signal });
    if (fingerprint === null) return this.fail(run, progress);
    await this.succeed(run, sync, { generation: run.claim, fingerprint }, progress);
  }

  private async succeed(run: ClaimedRun, sync: SyncRow, index: { generation: string | null; fingerprint: string }, progress: RunProgress) {
    const { botId, runId, claim } = run;
    try {
      const warnings = await this.sealed(run, progress);
      await this.command(botId, { type: 'Succeed', runId, claim, ...index, counts: progress.counts(), warnings });
    } catch (error) {
      if (isOver(error) && index.generation !== null) await this.remove(botId, index.generation);
      throw error;
    }
    if (sync.generation !== null && sync.generation !== index.generation) await this.remove(botId, sync.generation);
  }

  private async sealed({ botId, ownerUserId }: ClaimedRun, { warnings, warningCount }: RunProgress): Promise<SyncWarnings | null> {
    if (warningCount === 0) return null;
    return { count: warningCount, list: await this.vault.seal(botSubject(botId, ownerUserId), JSON.stringify(warnings)) };
  }

  /**
   * Ends this attempt, because another one may succeed. Until then, the reason is shown with the run. After some attempts, the run fails
   * with a reason that says what the owner of the bot or an administrator can do.
   */
  private async interrupt({ botId, ownerUserId, runId, claim }: ClaimedRun, progress: RunProgress, error: unknown): Promise<void> {
    this.log.error({ err: error, botId, runId }, 'an attempt at a run failed');
    try {
      const fault = await this.faultOf(error);
      const text = reasonOf(error, fault, runId);
      const texts = [`${text} ${AFTER_FAULT}`, `${text} ${RETRY}`, JSON.stringify(causeOf(codeOf(error, fault)))];
      const sealed = await Promise.all(texts.map((each) => this.vault.seal(botSubject(botId, ownerUserId), each)));
      const [reason, retryReason, cause] = sealed as readonly string[] as readonly [string, string, string];
      const now = this.clock.now();
      const { step } = progress;
      const counts = progress.counts();
      await this.command(botId, { type: 'Interrupt', runId, claim, reason, retryReason, cause, fault, now, step, counts });
    } catch (after) {
      if (!isOver(after)) throw after;
    }
  }

  /** An error of the index or of a file does not show that the object store is away, so the store is asked. */
  private async faultOf(error: unknown): Promise<SyncFault> {
    if (error instanceof RemoteRefused) return 'refused';
    if (error instanceof DocumentReaderNotStarted) return 'reader';
    if (error instanceof RemoteUnavailable) return 'other';
    return error instanceof ObjectStoreDown || (await this.storage?.state())?.status === 'down' ? 'storage' : 'other';
  }

  private async fail({ botId, ownerUserId, runId, claim }: ClaimedRun, progress: RunProgress): Promise<void> {
    const [reason, cause] = await Promise.all([
      this.vault.seal(botSubject(botId, ownerUserId), progress.reason()),
      this.vault.seal(botSubject(botId, ownerUserId), JSON.stringify(progress.cause())),
    ]);
    const { failureCount: failures, step } = progress;
    await this.command(botId, { type: 'Fail', runId, claim, reason, cause, failures, step, counts: progress.counts() });
  }

  /**
   * Records progress and extends the lease, if that is due. Ends the attempt if the run now belongs to another worker, or if a newer version of
   * the bot waits.
   */
  private async showLife(run: ClaimedRun, progress: RunProgress, records: Records, ended: AbortController): Promise<void> {
    try {
      const sync = await this.queries.execute(new SyncOf(run.botId));
      if (!sync || sync.wanted > run.wanted) return ended.abort(new TryAbandoned('a newer version of the bot is waiting'));
      const [now, text] = [performance.now(), JSON.stringify([progress.step, progress.counts()])];
      if (!isDue({ sinceStart: now - records.began, sinceLast: now - records.last }, text !== records.text)) return;
      await this.advance(run, progress, LEASE_MILLIS);
      [records.last, records.text] = [now, text];
    } catch (error) {
      if (isOver(error)) ended.abort(error);
      else this.log.warn({ err: error, botId: run.botId }, 'the lease of a run could not be extended; another attempt follows');
    }
  }

  /** Releases the run, so that another worker can claim it at once. */
  private async leave(run: ClaimedRun, progress: RunProgress): Promise<void> {
    await this.advance(run, progress, 0).catch((error: unknown) => {
      this.log.info({ err: error, botId: run.botId }, 'a run could not be released; another worker takes it over when its lease ends');
    });
  }

  private advance({ botId, runId, claim }: ClaimedRun, progress: RunProgress, lease: number) {
    const leaseUntil = Instant.plus(this.clock.now(), lease);
    return this.command(botId, { type: 'Advance', runId, claim, step: progress.step, counts: progress.counts(), leaseUntil });
  }

  private command(botId: string, command: SyncCommand) {
    return this.commands.execute(new ExecuteKnowledgeSync(botId, command));
  }

  /** Removes an index. The hourly clean-up repeats this if it fails. */
  private async remove(botId: string, generation: string): Promise<void> {
    await this.indexes.remove({ botId, generation }).catch((error: unknown) => {
      this.log.warn({ err: error, botId, generation }, 'an index could not be removed; the clean-up removes it');
    });
  }
}

/** What the owner of the bot reads, without advice. */
function reasonOf(error: unknown, fault: SyncFault, runId: string): string {
  if (fault === 'storage')
    return 'The object store of this installation does not answer, so no files can be read and no index can be written.';
  if (fault === 'reader')
    return `The files were not read, because this installation cannot start the program that reads files. The log has the cause at the run ${runId}.`;
  if (error instanceof RemoteUnavailable || error instanceof RemoteRefused) return error.message;
  return `A fault of this installation ended the run ${runId}.`;
}

function codeOf(error: unknown, fault: SyncFault): SyncCause['code'] {
  if (fault === 'storage') return 'storage_unavailable';
  if (fault === 'reader') return 'reader_not_started';
  if (error instanceof RemoteUnavailable) return 'model_unavailable';
  return error instanceof RemoteRefused ? 'model_refused' : 'fault';
}

/** The run has ended, belongs to another worker, or the bot is being deleted: nothing is left to do. */
const isOver = (error: unknown) =>
  error instanceof Shredded ||
  (error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'sync_is_over' || error.code === 'bot_not_found'));
