export {
  type Embedded,
  Embedder,
  type EmbeddingPurpose,
  type EmbeddingTokens,
  MOST_TEXTS_PER_CALL,
  tokenSum,
} from './embedding/embedder.ts';
export { MiniLmNotInstalled } from './embedding/minilm-files.ts';
export { type EmbeddingSettings, NoEmbeddingModel, openEmbedder } from './embedding/open-embedder.ts';
export { type ImportedChunk, ImportedRetriever, type ImportedSearch, MOST_IMPORTED_CHUNKS } from './imported/imported-retriever.ts';
export { openRetrievers, type RetrieverSettings } from './imported/open-retrievers.ts';
export { RemoteRefused, RemoteUnavailable } from './remote/failures.ts';
export { openReranker, type RerankerSettings } from './rerank/open-reranker.ts';
export { type Reranked, rerankedOrFused } from './rerank/reranked.ts';
export { MOST_DOCUMENTS, type Ranked, Reranker, type RerankUse } from './rerank/reranker.ts';
export {
  AdapterUnavailable,
  BadChunk,
  BadIndexName,
  BuildLost,
  DuplicateChunk,
  ForeignIndex,
  IndexDamaged,
  IndexFinished,
  IndexMissing,
  WrongDimensions,
} from './indexes/errors.ts';
export {
  type BuildOptions,
  type ChunkPage,
  type Hit,
  IndexBuilder,
  type IndexDescription,
  type IndexedChunk,
  type IndexedSource,
  type IndexName,
  type IndexSearch,
  KnowledgeIndexes,
  type ListedIndex,
  type NewChunk,
  type NewSource,
  type ReadableIndex,
  type SearchResult,
  type SearchType,
} from './indexes/knowledge-indexes.ts';
export { MAX_CHUNK_CHARACTERS, MAX_HITS, MAX_PAGE, MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS } from './indexes/limits.ts';
export { lanceFolder } from './lance/tables.ts';
export { SizedIndexes, type SizedIndexesOptions, type SmallIndexes } from './indexes/sized-indexes.ts';
export { LazyIndexes, type LazyIndexesOptions } from './indexes/lazy-indexes.ts';
