/** Both parts are used in names of files and tables: 1 to 64 of `0-9A-Za-z_-`. Other names reject with `BadIndexName`. */
export interface IndexName {
  readonly botId: string;
  readonly generation: string;
}

export interface NewSource {
  /** Unique in an index, 1 to 200 characters. */
  readonly id: string;
  readonly kind: 'page' | 'sitemap_page' | 's3' | 'file';
  /** The URL, S3 URL or file name. */
  readonly name: string;
  readonly title: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly hash: string | null;
}

export interface IndexedSource extends NewSource {
  readonly chunks: number;
}

export interface IndexedChunk {
  /** Unique in an index, 1 to 200 characters. Hits with equal scores are ordered by it. */
  readonly id: string;
  readonly sourceId: string;
  readonly ordinal: number;
  readonly text: string;
  /** The text of the parent chunk, for hierarchical chunks. */
  readonly parent: string | null;
  readonly page_number: number | null;
  readonly heading: string | null;
}

export interface NewChunk {
  readonly chunk: IndexedChunk;
  /** Null only in an index without vectors. It need not be normalised. */
  readonly vector: Float32Array | null;
}

export type SearchType = 'hybrid' | 'semantic' | 'lexical';

export interface IndexSearch {
  readonly text: string;
  readonly vector: Float32Array | null;
  readonly type: SearchType;
  /** 1 to 100. */
  readonly limit: number;
}

export interface Hit extends IndexedChunk {
  readonly sourceName: string;
  readonly sourceTitle: string | null;
  readonly kind: NewSource['kind'];
  /** Comparable only within one result: 0 to 1 for hybrid, the cosine for semantic, BM25 for lexical. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** The rank among the lexical candidates, from 1. Null if the chunk is not among them. */
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** The type that was carried out: `lexical` instead of the others if the index or the query has no vector. */
  readonly type: SearchType;
}

export interface IndexDescription {
  readonly chunks: number;
  readonly sources: number;
  readonly dimensions: number | null;
  readonly embeddingModel: string | null;
  /** The index's size on disk or in the object store. */
  readonly bytes: number;
}

export interface BuildOptions {
  readonly dimensions: number | null;
  readonly embeddingModel: string | null;
  /** An estimate that may save work. A wrong estimate does not change the result. */
  readonly expectedChunks?: number;
}

export interface ChunkPage {
  /** Null if the index has no such source. */
  readonly source: IndexedSource | null;
  readonly chunks: readonly NewChunk[];
  /** Pass it as `after` for the next page. Null on the last page. */
  readonly next: number | null;
}

export interface ListedIndex {
  readonly name: IndexName;
  readonly modified: Date;
  readonly finished: boolean;
}

/** The contents of a finished or unfinished index. Pages end early at a limit of bytes. */
export interface ReadableIndex {
  /** Ordered by id. `after` is the last id of the previous page. */
  sources(after: string | null, limit: number): Promise<readonly IndexedSource[]>;
  /** The chunks of a source, in the order in which they were added. */
  chunksOf(sourceId: string, after: number | null, limit: number): Promise<ChunkPage>;
}

/**
 * Writes one generation of a bot's knowledge. Every method rejects with `BuildLost` if another build of the name was started, the index was
 * removed, or the build has ended.
 */
export abstract class IndexBuilder {
  /**
   * A source may be added in several calls; its last description counts. Rejects with `BadChunk` or `WrongDimensions` for these chunks and then
   * adds nothing. A deferred write can also fail, with `DuplicateChunk` for an id that was added before: then this or a later call rejects, and
   * so does `finish`.
   */
  abstract add(source: NewSource, chunks: readonly NewChunk[]): Promise<void>;
  /**
   * Takes sources over from a finished index of the same bot. Ids that it does not have are left out. Rejects with `IndexMissing`, with
   * `ForeignIndex` for an index of another bot, and with `WrongDimensions` if the vectors are of another model. An index without vectors takes
   * the chunks without their vectors.
   */
  abstract copy(from: IndexName, sourceIds: readonly string[]): Promise<{ sources: number; chunks: number }>;
  /** Makes the whole index visible and durable. */
  abstract finish(): Promise<{ sources: number; chunks: number }>;
  /** Removes everything that was written. Does nothing if the build has already ended. */
  abstract abandon(): Promise<void>;
}

/**
 * The indexes of all bots, one per bot and generation. An index is written once, by its builder, and never changed. A search sees only finished
 * indexes of exactly the given bot and generation. A killed process leaves the finished index or none.
 */
export abstract class KnowledgeIndexes {
  /** Replaces an unfinished index of the name. Rejects with `IndexFinished` if there is a finished one. */
  abstract build(name: IndexName, options: BuildOptions): Promise<IndexBuilder>;
  /** Rejects with `IndexMissing`, `IndexDamaged` and `WrongDimensions`, and with a RangeError for a limit outside 1 to 100. */
  abstract search(name: IndexName, search: IndexSearch): Promise<SearchResult>;
  /** Null if there is no finished index of the name. Rejects with `IndexDamaged`. */
  abstract describe(name: IndexName): Promise<IndexDescription | null>;
  /** Rejects with `IndexMissing` and `IndexDamaged`. */
  abstract sources(name: IndexName, after: string | null, limit: number): Promise<readonly IndexedSource[]>;
  /** Rejects with `IndexMissing` and `IndexDamaged`. */
  abstract chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number): Promise<ChunkPage>;
  /** Removes finished and unfinished indexes with the name, if there are any. A running search ends with its result or `IndexMissing`. */
  abstract remove(name: IndexName): Promise<void>;
  /** Finished and unfinished indexes, ordered by the bytes of `<bot>.<generation>.`. Fewer than `limit` only at the end. */
  abstract list(after: IndexName | null, limit: number): Promise<readonly ListedIndex[]>;
  abstract close(): Promise<void>;
}
