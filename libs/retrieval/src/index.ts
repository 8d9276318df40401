export { type Embedded, Embedder, type EmbeddingPurpose, MOST_TEXTS_PER_CALL } from './embedding/embedder.ts';
export { MiniLmNotInstalled } from './embedding/minilm-files.ts';
export { type EmbeddingSettings, NoEmbeddingModel, openEmbedder } from './embedding/open-embedder.ts';
export { type ImportedChunk, ImportedRetriever, type ImportedSearch, MOST_IMPORTED_CHUNKS } from './imported/imported-retriever.ts';
export { openRetrievers, type RetrieverSettings } from './imported/open-retrievers.ts';
export { RemoteRefused, RemoteUnavailable } from './remote/failures.ts';
export { openReranker, type RerankerSettings } from './rerank/open-reranker.ts';
export { type Reranked, rerankedOrFused } from './rerank/reranked.ts';
export { MOST_DOCUMENTS, type Ranked, Reranker } from './rerank/reranker.ts';
