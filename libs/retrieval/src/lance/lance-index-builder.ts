import type { Connection, Table } from '@lancedb/lancedb';
import { assertChunks, batchesOf } from '../indexes/checks.ts';
import { BuildLost, DuplicateChunk } from '../indexes/errors.ts';
import { type BuildOptions, IndexBuilder, type IndexName, type NewChunk, type NewSource } from '../indexes/knowledge-indexes.ts';
import { type Language, languageOf } from '../indexes/languages.ts';
import { BATCH_CHARACTERS, BATCH_CHUNKS } from '../indexes/limits.ts';
import type { Lance } from './native.ts';
import { aboutTable, chunkSchema, chunkTable, type PlacedChunk, sourceSchema, sourceTable } from './schema.ts';
import { chunksTableOf, dropTable, isTaken, openTable, pointerOf, sourcesTableOf } from './tables.ts';

/** Each write creates files and a version of the table, so writes are batched. A larger batch would block the event loop. */
const WRITE_BATCHES = 4;
/** Below this number a search compares all vectors, which is exact. */
const MIN_INDEXED_VECTORS = 20_000;
/** Rows per write of sources. */
const SOURCES_AT_ONCE = 1_000;

export interface LanceBuildContext {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly attempt: string;
  isCurrent(): boolean;
  end(): void;
  copy(request: { from: IndexName; sourceIds: readonly string[] }): Promise<{ sources: number; chunks: number }>;
}

export class LanceIndexBuilder extends IndexBuilder {
  private table: Table | undefined;
  private readonly sources = new Map<string, NewSource & { chunks: number }>();
  private readonly ids = new Set<string>();
  private readonly languages = new Set<Language | null>();
  private pending: PlacedChunk[] = [];
  private pendingCharacters = 0;
  /** Runs writes one after the other. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: IndexName,
    private readonly options: BuildOptions,
    private readonly context: LanceBuildContext,
  ) {
    super();
  }

  /** Creates the empty table, so that the unfinished index is listed. */
  async begin(): Promise<this> {
    const { connection, attempt } = this.context;
    this.table = await connection.createEmptyTable(chunksTableOf(this.name, attempt), chunkSchema(this.options.dimensions));
    return this;
  }

  override async add(source: NewSource, chunks: readonly NewChunk[]): Promise<void> {
    assertChunks(source, chunks, this.options.dimensions);
    this.assertCurrent();
    const known = this.sources.get(source.id)?.chunks ?? 0;
    this.sources.set(source.id, { ...source, chunks: known + chunks.length });
    for (const batch of batchesOf(chunks)) {
      for (const { chunk, vector } of batch) {
        if (this.ids.has(chunk.id)) this.fail(new DuplicateChunk(chunk.id));
        this.ids.add(chunk.id);
        const language = languageOf(chunk.text);
        this.languages.add(language);
        this.pending.push({ source, chunk, vector, position: this.ids.size, language });
        this.pendingCharacters += chunk.text.length + (chunk.parent?.length ?? 0);
      }
      const isFull = this.pending.length >= WRITE_BATCHES * BATCH_CHUNKS || this.pendingCharacters >= WRITE_BATCHES * BATCH_CHARACTERS;
      await (isFull ? this.write() : this.last);
    }
  }

  override async copy(from: IndexName, sourceIds: readonly string[]) {
    this.assertCurrent();
    return this.context.copy({ from, sourceIds });
  }

  override async finish() {
    this.assertCurrent();
    const counts = { sources: this.sources.size, chunks: this.ids.size };
    await this.write();
    // Part of `last`, so that a removal waits for it and leaves nothing.
    this.last = this.publish(counts).catch((error: unknown) => {
      // Its tables were removed, or another process has finished the index.
      if (!this.context.isCurrent() || isTaken(error)) throw new BuildLost(this.name);
      throw error;
    });
    await this.last;
    this.context.end();
    return counts;
  }

  override async abandon(): Promise<void> {
    if (!this.context.isCurrent()) return;
    this.context.end();
    await this.drop();
  }

  /** Removes the tables of this attempt. */
  async drop(): Promise<void> {
    const { connection, attempt } = this.context;
    await this.last.catch(() => undefined);
    await dropTable(connection, sourcesTableOf(this.name, attempt));
    await dropTable(connection, chunksTableOf(this.name, attempt));
  }

  private async publish(counts: { sources: number; chunks: number }): Promise<void> {
    const { lance, connection, attempt } = this.context;
    await this.writeSources();
    await this.buildIndexes(lance, this.table!);
    this.assertCurrent();
    const { dimensions, embeddingModel } = this.options;
    await connection.createTable(
      pointerOf(this.name),
      aboutTable(attempt, { dimensions, embeddingModel, languages: [...this.languages], ...counts }),
    );
  }

  private async buildIndexes({ Index }: Lance, table: Table): Promise<void> {
    await table.optimize();
    if (this.ids.size === 0) return;
    const words = Index.fts({ stem: true, removeStopWords: false, withPosition: false, asciiFolding: true, maxTokenLength: 64 });
    await table.createIndex('words', { config: words });
    await table.createIndex('source_id', { config: Index.btree() });
    if (this.options.dimensions !== null && this.ids.size >= MIN_INDEXED_VECTORS)
      await table.createIndex('vector', { config: Index.ivfPq({ distanceType: 'cosine', numPartitions: partitions(this.ids.size) }) });
    // Earlier versions were only for this build.
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  }

  private async writeSources(): Promise<void> {
    const { connection, attempt } = this.context;
    const name = sourcesTableOf(this.name, attempt);
    const sources = [...this.sources.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    // LanceDB cannot create a table from an empty list, and an index may have no sources.
    const table = await connection.createEmptyTable(name, sourceSchema);
    for (let start = 0; start < sources.length; start += SOURCES_AT_ONCE)
      await table.add(sourceTable(sources.slice(start, start + SOURCES_AT_ONCE)));
    await table.optimize();
  }

  /** Converts and adds the pending chunks, in parts that block the event loop for a few milliseconds each. */
  private write(): Promise<void> {
    const rows = this.pending;
    this.pending = [];
    this.pendingCharacters = 0;
    return (this.last = this.last.then(async () => {
      this.assertCurrent();
      if (rows.length > 0) await this.table!.add(await this.converted(rows));
    }));
  }

  private async converted(rows: readonly PlacedChunk[]) {
    let table: ReturnType<typeof chunkTable> | undefined;
    for (const batch of batchesOf(rows)) {
      const part = chunkTable(batch as readonly PlacedChunk[], this.options.dimensions);
      table = table === undefined ? part : table.concat(part);
      await new Promise(setImmediate);
    }
    return table!;
  }

  private fail(error: Error): never {
    this.last = Promise.reject(error);
    this.last.catch(() => undefined);
    throw error;
  }

  private assertCurrent(): void {
    if (!this.context.isCurrent()) throw new BuildLost(this.name);
  }
}

const partitions = (rows: number): number => Math.max(1, Math.round(Math.sqrt(rows)));

export const exists = async (connection: Connection, name: IndexName): Promise<boolean> =>
  (await openTable(connection, pointerOf(name))) !== null;
