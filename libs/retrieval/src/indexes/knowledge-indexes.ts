/** Both parts become names of files and tables: 1 to 64 of `0-9A-Za-z_-`. Other names reject with `BadIndexName`. */
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
  /** The text of the parent chunk, of hierarchical chunks. */
  readonly parent: string | null;
  readonly page_number: number | null;
  readonly heading: string | null;
}

export interface NewChunk {
  readonly chunk: IndexedChunk;
  /** Null in an index without vectors only. It need not be normalised. */
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
  /** Comparable within one result only: hybrid 0 to 1, semantic the cosine, lexical BM25. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** The place among the candidates of the lexical side, from 1. Null if the chunk isn't among them. */
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
  /** What it takes on disk or in the object store. */
  readonly bytes: number;
}

export interface BuildOptions {
  readonly dimensions: number | null;
  readonly embeddingModel: string | null;
  /** An estimate. It may save work; a wrong one changes no result. */
  readonly expectedChunks?: number;
}

export interface ChunkPage {
  /** Null if the index has no such source. */
  readonly source: IndexedSource | null;
  readonly chunks: readonly NewChunk[];
  /** To be passed as `after` for the next page; null on the last one. */
  readonly next: number | null;
}

export interface ListedIndex {
  readonly name: IndexName;
  readonly modified: Date;
  readonly finished: boolean;
}

/** What an index, or an unfinished one, holds. Pages end early at a limit of bytes. */
export interface ReadableIndex {
  /** Ordered by id; `after` is the id of the last one of the page before. */
  sources(after: string | null, limit: number): Promise<readonly IndexedSource[]>;
  /** The chunks of a source, in the order in which they were added. */
  chunksOf(sourceId: string, after: number | null, limit: number): Promise<ChunkPage>;
}

/**
 * Writes one generation of a bot's knowledge. Every method rejects with `BuildLost` when another build of the name was started, the index
 * was removed, or the build has ended.
 */
export abstract class IndexBuilder {
  /**
   * Several calls for one source are possible; the last description of the source counts. Rejects with `BadChunk` or `WrongDimensions` for
   * the given chunks, and has then added nothing. What is written later can fail too, with `DuplicateChunk` for an id that was added before:
   * then this or a later call rejects, and so does `finish`.
   */
  abstract add(source: NewSource, chunks: readonly NewChunk[]): Promise<void>;
  /**
   * Takes sources over from a finished index of the same bot; ids that it doesn't have are left out. Rejects with `IndexMissing`, with
   * `ForeignIndex` for an index of another bot, and with `WrongDimensions` if the vectors are of another model. An index without vectors
   * takes the chunks without theirs.
   */
  abstract copy(from: IndexName, sourceIds: readonly string[]): Promise<{ sources: number; chunks: number }>;
  /** Makes the index visible, whole and durable. */
  abstract finish(): Promise<{ sources: number; chunks: number }>;
  /** Removes what was written. Resolves also when the build has ended, and then does nothing. */
  abstract abandon(): Promise<void>;
}

/**
 * The indexes of all bots, one for each bot and generation. An index is written once, by its builder, and never changed. A search sees
 * finished indexes only, of exactly the given bot and generation. A process that is killed leaves the finished index or none.
 */
export abstract class KnowledgeIndexes {
  /** Replaces an unfinished index of the name. Rejects with `IndexFinished` if there is a finished one. */
  abstract build(name: IndexName, options: BuildOptions): Promise<IndexBuilder>;
  /** Rejects with `IndexMissing`, with `WrongDimensions`, and with a RangeError for a limit outside 1 to 100. */
  abstract search(name: IndexName, search: IndexSearch): Promise<SearchResult>;
  /** Null if there is no finished index of the name. */
  abstract describe(name: IndexName): Promise<IndexDescription | null>;
  /** Rejects with `IndexMissing`. */
  abstract sources(name: IndexName, after: string | null, limit: number): Promise<readonly IndexedSource[]>;
  /** Rejects with `IndexMissing`. */
  abstract chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number): Promise<ChunkPage>;
  /** Removes a finished and an unfinished index. Resolves also when there is none. A search in progress ends with its result or `IndexMissing`. */
  abstract remove(name: IndexName): Promise<void>;
  /** Finished and unfinished ones, by the bytes of `<bot>.<generation>.`. Less than `limit` only at the end. */
  abstract list(after: IndexName | null, limit: number): Promise<readonly ListedIndex[]>;
  abstract close(): Promise<void>;
}
