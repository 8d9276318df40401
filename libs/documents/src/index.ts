export type { Chunk, Chunking, DocumentType } from './chunk.ts';
export { chunkingProblem } from './chunking/validation.ts';
export { DocumentReader, type DocumentReaderOptions } from './document-reader.ts';
export { DocumentRefused, type RefusalCode } from './document-refused.ts';
export type { DrawnPage, ReadPages } from './drawn-page.ts';
export { MAX_CHUNK_TOKENS, MAX_FILE_BYTES, MAX_SENT_BYTES } from './limits.ts';
export type { DocumentFile, DocumentHead, ReadDocument } from './read-document.ts';
export type { ReadOptions } from './read-options.ts';
export { DocumentReaderBusy, DocumentReaderFailed, DocumentReaderNotStarted } from './reader-failures.ts';
