import { LOGGER, Scratch } from '@parlance/foundation';
import { rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentReader, DocumentRefused } from '@parlance/documents';
import { type IndexBuilder, IndexDamaged, type IndexedSource, KnowledgeIndexes } from '@parlance/retrieval';
import type { Logger } from 'pino';
import { DrawingReader } from '../adapters/drawing-reader.ts';
import { Embedding, type RecordPaid } from '../adapters/embedding.ts';
import { type Batch, HeldChunks } from '../adapters/held-chunks.ts';
import { type Download, type FailedSource, ItemFailed, type KnowledgeItem, KnowledgeItems } from '../adapters/knowledge-items.ts';
import { PageModels } from '../adapters/page-models.ts';
import type { KnowledgeSources } from '../domain/knowledge/knowledge-sources.ts';
import { fingerprintOf } from '../projections/index-fingerprints.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { atMost } from './at-most.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { ModelUses } from './model-uses.ts';
import { inTurnsAtOnce } from './in-turns-at-once.ts';
import type { RunProgress, SourceKind } from './run-progress.ts';

/** The number of items that are downloaded and parsed concurrently. */
const ITEMS_AT_ONCE = 8;
/** The most items of one bot. It may have 10,000 files. */
export const MOST_ITEMS = 20_000;
/** The number of sources that are read from the earlier index at once, and copied at once. */
const SOURCES_AT_ONCE = 500;

const KIND_OF: Readonly<Record<IndexedSource['kind'], SourceKind>> = { page: 'pages', sitemap_page: 'sitemaps', s3: 's3', file: 'files' };

/** The sources and settings of an index to build. */
export interface Order {
  readonly run: ClaimedRun;
  readonly sync: SyncRow;
  readonly sources: KnowledgeSources;
  readonly progress: RunProgress;
  readonly signal: AbortSignal;
}

interface Work extends Order {
  readonly builder: IndexBuilder;
  readonly directory: string;
  /** Sources of the earlier index that can be copied. */
  readonly earlier: ReadonlyMap<string, IndexedSource>;
  readonly copies: string[];
  readonly record: RecordPaid;
}

/** Reads the sources of one bot into a new index, which is named after the claim of the run. */
@Injectable()
export class IndexMaking {
  constructor(
    private readonly indexes: KnowledgeIndexes,
    private readonly items: KnowledgeItems,
    private readonly reader: DocumentReader,
    private readonly drawing: DrawingReader,
    private readonly pages: PageModels,
    private readonly embedding: Embedding,
    private readonly scratch: Scratch,
    private readonly uses: ModelUses,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * The fingerprint of the finished index. Null if the run fails: `progress` has the reason, and there is no index. If the earlier index is damaged, all
   * sources are read again.
   */
  async of(order: Order): Promise<string | null> {
    try {
      return await this.make(order, true);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      this.log.warn({ err: error, botId: order.run.botId }, 'the earlier index of a bot is damaged; all of its sources are read again');
      order.progress.restart();
      return this.make(order, false);
    }
  }

  private async make(order: Order, usesEarlier: boolean): Promise<string | null> {
    const { run, sync, progress, signal } = order;
    const { chunking_configuration: chunking, parsing_model: model, on_source_error: onError } = sync.ingestion;
    const fingerprint = fingerprintOf(chunking, this.embedding.space, model);
    const name = { botId: run.botId, generation: run.claim };
    // The owner of the bot pays for its knowledge.
    const record: RecordPaid = (paid) => this.uses.recordEmbedding({ botId: run.botId, userId: run.ownerUserId, ...paid });
    const dimensions = await this.embedding.dimensions(signal, record);
    const builder = await this.indexes.build(name, { dimensions, embeddingModel: this.embedding.space });
    try {
      const earlier = usesEarlier ? await this.earlierOf(sync, fingerprint) : new Map<string, IndexedSource>();
      await this.scratch.use(async (directory) => {
        const work = { ...order, builder, directory, earlier, copies: [], record };
        await this.readItems(work);
        if (!progress.hasFailed(onError)) await this.copy(work);
      });
      signal.throwIfAborted();
      if (!progress.mayTakeOver(onError, sync.chunks)) {
        await builder.abandon();
        return null;
      }
      progress.reaches('index');
      await builder.finish();
      return fingerprint;
    } catch (error) {
      await builder.abandon();
      throw error;
    }
  }

  private async readItems(work: Work): Promise<void> {
    const { run, sync, sources, progress, signal } = work;
    const failure = {
      code: 'too_many_items',
      message: `A bot can have ${MOST_ITEMS} pages, files and objects. Narrow its sources.`,
    } as const;
    const items = atMost(this.items.of(run, sources, sync.ingestion, signal), MOST_ITEMS, ({ kind, name }) => ({ kind, name, failure }));
    await inTurnsAtOnce<KnowledgeItem | FailedSource>(items, ITEMS_AT_ONCE, async (item) => {
      signal.throwIfAborted();
      const kind = KIND_OF[item.kind];
      progress.found(kind);
      if ('failure' in item) return progress.failure(kind, item.name, item.failure);
      try {
        await this.readItem(work, item, kind);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ItemFailed) && !(error instanceof DocumentRefused)) throw error;
        if (error instanceof DocumentRefused && error.code === 'no_text') progress.empty(kind, item.name, error.message);
        else progress.failure(kind, item.name, error);
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
      throw new ItemFailed(
        'answer_invalid',
        'The server reports that the content has not changed, but it was never read. Try again later.',
      );
    try {
      await this.index(work, item, got);
    } finally {
      // A run may download more at once than fits on the disk.
      await rm(got.path, { force: true });
    }
    progress.done(kind, false);
  }

  private async index(work: Work, item: KnowledgeItem, got: Download): Promise<void> {
    if (work.sync.ingestion.on_source_error === 'fail') return this.read(work, item, got, (batch) => this.add(work, item, got, batch));
    // Nothing of a skipped source may be in the index.
    const held = new HeldChunks(work.directory);
    try {
      await this.read(work, item, got, (batch) => held.add(batch));
      for await (const batch of held.batches()) await this.add(work, item, got, batch);
    } finally {
      await held.remove();
    }
  }

  private async read(work: Work, { id, name }: KnowledgeItem, got: Download, take: (batch: Batch) => Promise<void>): Promise<void> {
    const { progress, run, sync, signal, record } = work;
    const { path, contentType, isWebPage } = got;
    progress.reaches('parse');
    const model = sync.ingestion.parsing_model;
    const readPages = model === null ? null : this.pages.reader({ botId: run.botId, userId: run.ownerUserId, model });
    await (readPages ? this.drawing : this.reader).read(
      { path, name, contentType, sourceId: id, isWebPage },
      sync.ingestion.chunking_configuration,
      {
        account: run.ownerUserId,
        signal,
        ...(readPages && { readPages }),
        ...(this.embedding.space !== null && { embed: (sentences) => this.embedding.ofDocuments(sentences, signal, record) }),
        onChunks: (chunks, { title }) => take({ chunks, title }),
      },
    );
  }

  private async add(work: Work, { id, kind, name }: KnowledgeItem, got: Download, { chunks, title }: Batch): Promise<void> {
    const { builder, progress, signal, record } = work;
    const { etag, lastModified, hash } = got;
    if (this.embedding.space !== null) progress.reaches('embed');
    const texts = chunks.map(({ text }) => text);
    const vectors = await this.embedding.ofDocuments(texts, signal, record);
    await builder.add(
      { id, kind, name, title, etag, lastModified, hash },
      chunks.map((chunk, index) => ({ chunk: { ...chunk, sourceId: id }, vector: vectors[index] ?? null })),
    );
    progress.chunks += chunks.length;
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
