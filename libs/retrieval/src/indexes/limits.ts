/** Characters of one chunk, and of its parent. */
export const MAX_CHUNK_CHARACTERS = 4 * 1024 ** 2;
/** Characters of an id. */
export const MAX_ID = 200;
/** Numbers in a vector. */
export const MAX_DIMENSIONS = 8_192;
/** Hits of a search. */
export const MAX_HITS = 100;
/** Rows of a page of sources, chunks or indexes. */
export const MAX_PAGE = 1_000;
/** Characters of text in one result or page. Further hits or rows are left out, but never the first one. */
export const MAX_PAGE_CHARACTERS = 8 * 1024 ** 2;
/** Characters of a query that are read. */
export const MAX_QUERY_CHARACTERS = 8_000;
/** Different words of a query that are searched, and how many repetitions of a word count. */
export const MAX_QUERY_WORDS = 32;
export const MAX_REPEATS = 4;
/** The best lexical and vector candidates that are fused; twice the limit of hits if that is more. */
export const MIN_CANDIDATES = 100;
/** Chunks that are sent to a thread or table at once. */
export const BATCH_CHUNKS = 128;
/** Characters that are sent at once, unless a single chunk has more. */
export const BATCH_CHARACTERS = 512 * 1024;
