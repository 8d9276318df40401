import { rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { DocumentReader, DocumentRefused } from '@parlance/documents';
import { Clock, LOGGER } from '@parlance/foundation';
import { Shredded, Vault } from '@parlance/privacy';
import { type IndexBuilder, type IndexedSource, KnowledgeIndexes, RemoteRefused, RemoteUnavailable } from '@parlance/retrieval';
import type { Logger } from 'pino';
import { Embedding } from '../adapters/embedding.ts';
import { type FailedSource, ItemFailed, type KnowledgeItem, KnowledgeItems } from '../adapters/knowledge-items.ts';
import { Scratch } from '../adapters/scratch.ts';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { botSubject } from '../commands/bot-subject.ts';
import { hasSources, type KnowledgeSources, NO_SOURCES } from '../domain/knowledge-sources.ts';
import type { SyncCommand } from '../domain/knowledge-sync.ts';
import { fingerprintOf } from '../projections/index-fingerprints.ts';
import { SourcesOf, SyncOf, type SyncRow } from '../projections/knowledge.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { atMost } from './at-most.ts';
import { inTurnsAtOnce } from './in-turns-at-once.ts';
import { isDue, RunProgress, type SourceKind } from './run-progress.ts';

/** How long a worker has a run without a sign of life, before another worker may take it. */
export const LEASE_MILLIS = 30_000;
const LOOK_EVERY_MILLIS = 3_000;

/** Items that are downloaded and parsed at the same time. */
const ITEMS_AT_ONCE = 8;
/** Items of one bot. Files alone may be 10,000. */
export const MOST_ITEMS = 20_000;
/** Sources that are read from the earlier index at once, and copied at once. */
const SOURCES_AT_ONCE = 500;

const AFTER_FAULT =
  'Save the bot again later. If that does not help, ask an administrator, who finds the cause in the log. The earlier knowledge stays in service.';

/** A run that this process has claimed. */
export interface ClaimedRun {
  readonly botId: string;
  readonly ownerUserId: string;
  readonly runId: string;
  /** Names this try at the run, and the index that it makes. */
  readonly claim: string;
  readonly wanted: number;
  readonly deadline: Instant;
}

/** The parts of one try at a run. */
interface Work {
  readonly run: ClaimedRun;
  readonly sync: SyncRow;
  readonly builder: IndexBuilder;
  readonly progress: RunProgress;
  readonly directory: string;
  /** Sources of the earlier index that can be copied. */
  readonly earlier: ReadonlyMap<string, IndexedSource>;
  readonly copies: string[];
  readonly signal: AbortSignal;
}

/** When a try began, and the progress that it has recorded last. */
interface Records {
  readonly began: number;
  last: number;
  text: string;
}

/** Why a try ends without a result. */
class Given extends Error {}

const KIND_OF: Readonly<Record<IndexedSource['kind'], SourceKind>> = { page: 'pages', sitemap_page: 'sitemaps', s3: 's3', file: 'files' };

/** Reads the sources of one bot into a new index, and puts it in service if all sources were read. */
@Injectable()
export class SyncRun {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
    private readonly vault: Vault,
    private readonly indexes: KnowledgeIndexes,
    private readonly items: KnowledgeItems,
    private readonly reader: DocumentReader,
    private readonly embedding: Embedding,
    private readonly scratch: Scratch,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Resolves when the run has ended, is another worker's, or is left to another worker because the process stops. */
  async work(run: ClaimedRun, stopping: AbortSignal): Promise<void> {
    const progress = new RunProgress();
    const over = new AbortController();
    const rest = AbortSignal.timeout(Math.max(0, run.deadline - this.clock.now()));
    const signal = AbortSignal.any([stopping, over.signal, rest]);
    const records: Records = { began: performance.now(), last: performance.now(), text: '' };
    const alive = setInterval(() => void this.showLife(run, progress, records, over), LOOK_EVERY_MILLIS);
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
    const sources = await this.sourcesOf(run.botId);
    // The bot is deleted, or a newer version of it waits.
    if (!sync || !sources || sync.wanted > run.wanted) return;
    if (!hasSources(sources)) return this.succeed(run, sync, { generation: null, fingerprint: '' }, progress);
    const fingerprint = fingerprintOf(sync.ingestion.chunking_configuration, this.embedding.space);
    const name = { botId: run.botId, generation: run.claim };
    const dimensions = await this.embedding.dimensions(signal);
    const builder = await this.indexes.build(name, { dimensions, embeddingModel: this.embedding.space });
    try {
      const earlier = await this.earlierOf(sync, fingerprint);
      await this.scratch.use(async (directory) => {
        const work = { run, sync, builder, progress, directory, earlier, copies: [], signal };
        await this.readItems(work, sources);
        if (progress.failureCount === 0) await this.copy(work);
      });
      signal.throwIfAborted();
      if (progress.failureCount > 0) {
        await builder.abandon();
        return await this.fail(run, progress);
      }
      progress.step = 'index';
      await builder.finish();
    } catch (error) {
      await builder.abandon();
      throw error;
    }
    await this.succeed(run, sync, { generation: run.claim, fingerprint }, progress);
  }

  private async readItems(work: Work, sources: KnowledgeSources): Promise<void> {
    const { run, sync, progress, signal } = work;
    const failure = `A bot can have ${MOST_ITEMS} pages, files and objects. Narrow its sources.`;
    const items = atMost(this.items.of(run, sources, sync.ingestion, signal), MOST_ITEMS, ({ kind, name }) => ({ kind, name, failure }));
    await inTurnsAtOnce<KnowledgeItem | FailedSource>(items, ITEMS_AT_ONCE, async (item) => {
      signal.throwIfAborted();
      const kind = KIND_OF[item.kind];
      progress.found(kind);
      if ('failure' in item) return this.failed(progress, item, item.failure);
      try {
        await this.readItem(work, item, kind);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ItemFailed) && !(error instanceof DocumentRefused)) throw error;
        this.failed(progress, item, error.message);
      }
    });
  }

  private async readItem(work: Work, item: KnowledgeItem, kind: SourceKind): Promise<void> {
    const { progress, directory, earlier, signal } = work;
    const before = earlier.get(item.id);
    const got = await item.read(before ?? null, directory, signal);
    if (got === 'gone') return progress.skipped(kind);
    if (before && (got === 'unchanged' || got.hash === before.hash)) {
      if (got !== 'unchanged') await rm(got.path, { force: true });
      work.copies.push(item.id);
      return progress.done(kind, true);
    }
    if (got === 'unchanged')
      throw new ItemFailed('The server says that the content has not changed, but it was never read. Try again later.');
    try {
      await this.index(work, item, got);
    } finally {
      // A run may download more than there is room for at once.
      await rm(got.path, { force: true });
    }
    progress.done(kind, false);
  }

  private async index(work: Work, item: KnowledgeItem, got: Exclude<Awaited<ReturnType<KnowledgeItem['read']>>, string>): Promise<void> {
    const { builder, progress, sync, signal } = work;
    const { path, contentType, isWebPage, etag, lastModified, hash } = got;
    const { id, kind, name } = item;
    progress.step = 'parse';
    await this.reader.read({ path, name, contentType, sourceId: id, isWebPage }, sync.ingestion.chunking_configuration, {
      signal,
      ...(this.embedding.space !== null && { embed: (sentences) => this.embedding.ofDocuments(sentences, signal) }),
      onChunks: async (batch, { title }) => {
        if (this.embedding.space !== null) progress.step = 'embed';
        const vectors = await this.embedding.ofDocuments(
          batch.map(({ text }) => text),
          signal,
        );
        const source = { id, kind, name, title, etag, lastModified, hash, chunks: batch.length };
        await builder.add(
          source,
          batch.map((chunk, nth) => ({ chunk: { ...chunk, sourceId: id }, vector: vectors[nth] ?? null })),
        );
        progress.chunks += batch.length;
      },
    });
  }

  private async copy({ sync, builder, progress, copies, run, signal }: Work): Promise<void> {
    if (sync.generation === null) return;
    for (let from = 0; from < copies.length; from += SOURCES_AT_ONCE) {
      signal.throwIfAborted();
      const part = copies.slice(from, from + SOURCES_AT_ONCE);
      const { chunks } = await builder.copy({ botId: run.botId, generation: sync.generation }, part);
      progress.chunks += chunks;
    }
  }

  private failed(progress: RunProgress, { kind, name }: KnowledgeItem | FailedSource, message: string): void {
    progress.failure(KIND_OF[kind], name, message);
  }

  private async succeed(run: ClaimedRun, sync: SyncRow, index: { generation: string | null; fingerprint: string }, progress: RunProgress) {
    const { botId, runId, claim } = run;
    try {
      await this.command(botId, { type: 'Succeed', runId, claim, ...index, counts: progress.counts() });
    } catch (error) {
      if (isOver(error) && index.generation !== null) await this.remove(botId, index.generation);
      throw error;
    }
    if (sync.generation !== null && sync.generation !== index.generation) await this.remove(botId, sync.generation);
  }

  /** Another try may succeed. After some, the run fails with a reason that the owner of the bot can act on, or an administrator. */
  private async interrupt({ botId, ownerUserId, runId, claim }: ClaimedRun, progress: RunProgress, error: unknown): Promise<void> {
    this.log.error({ err: error, botId, runId }, 'a try at a run ended with a fault');
    const isRemote = error instanceof RemoteUnavailable || error instanceof RemoteRefused;
    const text = `${isRemote ? error.message : `A fault of this installation ended the run ${runId}.`} ${AFTER_FAULT}`;
    try {
      const reason = await this.vault.seal(botSubject(botId, ownerUserId), text);
      const isFinal = error instanceof RemoteRefused;
      const now = this.clock.now();
      await this.command(botId, { type: 'Interrupt', runId, claim, reason, isFinal, now, counts: progress.counts() });
    } catch (after) {
      if (!(after instanceof Shredded) && !isOver(after)) throw after;
    }
  }

  private async fail({ botId, ownerUserId, runId, claim }: ClaimedRun, progress: RunProgress): Promise<void> {
    try {
      const reason = await this.vault.seal(botSubject(botId, ownerUserId), progress.reason());
      await this.command(botId, { type: 'Fail', runId, claim, reason, failures: progress.failureCount, counts: progress.counts() });
    } catch (error) {
      // The bot is being deleted.
      if (!(error instanceof Shredded)) throw error;
    }
  }

  /** Records progress and extends the lease, if that is due. Ends the try if the run is another worker's now, or if a newer version of the bot waits. */
  private async showLife(run: ClaimedRun, progress: RunProgress, records: Records, over: AbortController): Promise<void> {
    try {
      const sync = await this.queries.execute(new SyncOf(run.botId));
      if (!sync || sync.wanted > run.wanted) return over.abort(new Given('a newer version of the bot waits'));
      const [now, text] = [performance.now(), JSON.stringify([progress.step, progress.counts()])];
      if (!isDue({ sinceStart: now - records.began, sinceLast: now - records.last }, text !== records.text)) return;
      await this.advance(run, progress, LEASE_MILLIS);
      [records.last, records.text] = [now, text];
    } catch (error) {
      if (isOver(error)) over.abort(error);
      else this.log.warn({ err: error, botId: run.botId }, 'the lease of a run could not be extended; it is tried again');
    }
  }

  /** Leaves the run to another worker at once. */
  private async leave(run: ClaimedRun, progress: RunProgress): Promise<void> {
    await this.advance(run, progress, 0).catch((error: unknown) => {
      this.log.info({ err: error, botId: run.botId }, 'a run was left; it is taken over when its lease ends');
    });
  }

  private advance({ botId, runId, claim }: ClaimedRun, progress: RunProgress, lease: number) {
    const leaseUntil = Instant.plus(this.clock.now(), lease);
    return this.command(botId, { type: 'Advance', runId, claim, step: progress.step, counts: progress.counts(), leaseUntil });
  }

  private command(botId: string, command: SyncCommand) {
    return this.commands.execute(new ExecuteKnowledgeSync(botId, command));
  }

  /** What is left behind here is removed by the hourly clean-up. */
  private async remove(botId: string, generation: string): Promise<void> {
    await this.indexes.remove({ botId, generation }).catch((error: unknown) => {
      this.log.warn({ err: error, botId, generation }, 'an index could not be removed; the clean-up removes it');
    });
  }

  private async sourcesOf(botId: string): Promise<KnowledgeSources | null> {
    const sealed = await this.queries.execute(new SourcesOf(botId));
    if (sealed === null) return NO_SOURCES;
    const text = await this.texts.openNow(sealed);
    return text === null ? null : (JSON.parse(text) as KnowledgeSources);
  }

  private async earlierOf({ bot_id: botId, generation, fingerprint }: SyncRow, wanted: string): Promise<Map<string, IndexedSource>> {
    const earlier = new Map<string, IndexedSource>();
    if (generation === null || fingerprint !== wanted) return earlier;
    const name = { botId, generation };
    if (!(await this.indexes.describe(name))) return earlier;
    for (let after: string | null = null; ;) {
      const page: readonly IndexedSource[] = await this.indexes.sources(name, after, SOURCES_AT_ONCE);
      for (const source of page) earlier.set(source.id, source);
      if (page.length < SOURCES_AT_ONCE) return earlier;
      after = page.at(-1)!.id;
    }
  }
}

/** The run has ended, or is another worker's: nothing is left to do. */
const isOver = (error: unknown) =>
  error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'sync_is_over' || error.code === 'bot_not_found');
