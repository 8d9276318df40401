import { assertChunks, assertPage, batchesOf } from '../indexes/checks.ts';
import { BuildLost } from '../indexes/errors.ts';
import {
  type BuildOptions,
  type ChunkPage,
  IndexBuilder,
  type IndexedSource,
  type IndexName,
  type NewChunk,
  type NewSource,
  type ReadableIndex,
} from '../indexes/knowledge-indexes.ts';
import type { IndexThread } from './index-thread-handle.ts';
import type { Paths } from './protocol.ts';

interface SqliteBuildContext {
  readonly thread: IndexThread;
  readonly paths: Paths;
  /** Whether no other build took over. Messages sent to the thread in the same turn arrive before that build's messages. */
  isCurrent(): boolean;
  end(): void;
  copy(request: { from: IndexName; sourceIds: readonly string[] }): Promise<{ sources: number; chunks: number }>;
}

/** Batches that may be queued for the thread. Waiting for each would cost a thread switch per small source. */
const MAX_SENT = 16;

export class SqliteIndexBuilder extends IndexBuilder implements ReadableIndex {
  private readonly sent = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(
    private readonly name: IndexName,
    private readonly options: BuildOptions,
    private readonly context: SqliteBuildContext,
  ) {
    super();
  }

  override async add(source: NewSource, chunks: readonly NewChunk[]): Promise<void> {
    assertChunks(source, chunks, this.options.dimensions);
    const { id, kind, name, title, etag, lastModified, hash } = source;
    const sent = { id, kind, name, title, etag, lastModified, hash };
    for (const batch of batchesOf(chunks)) {
      while (this.sent.size >= MAX_SENT) await Promise.race(this.sent);
      this.assertWhole();
      const adding: Promise<void> = this.context.thread
        .call('add', this.context.paths.unfinished, sent, batch)
        .catch((error: Error) => void (this.failure ??= error))
        .then(() => void this.sent.delete(adding));
      this.sent.add(adding);
    }
  }

  override async copy(from: IndexName, sourceIds: readonly string[]) {
    this.assertCurrent();
    return this.context.copy({ from, sourceIds });
  }

  override async finish() {
    await Promise.all(this.sent);
    this.assertWhole();
    const finished = await this.context.thread.call('finish', this.context.paths);
    this.context.end();
    return finished;
  }

  override async abandon(): Promise<void> {
    if (!this.context.isCurrent()) return;
    this.context.end();
    await this.context.thread.call('drop', this.context.paths.unfinished);
  }

  async sources(after: string | null, limit: number): Promise<readonly IndexedSource[]> {
    assertPage(limit);
    this.assertCurrent();
    return this.context.thread.call('sourcesOfBuild', this.context.paths.unfinished, after, limit);
  }

  async chunksOf(sourceId: string, after: number | null, limit: number): Promise<ChunkPage> {
    assertPage(limit);
    this.assertCurrent();
    return this.context.thread.call('chunksOfBuild', this.context.paths.unfinished, sourceId, after, limit);
  }

  private assertWhole(): void {
    this.assertCurrent();
    if (this.failure) throw this.failure;
  }

  private assertCurrent(): void {
    if (!this.context.isCurrent()) throw new BuildLost(this.name);
  }
}
