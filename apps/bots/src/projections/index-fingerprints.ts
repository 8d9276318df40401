import type { Chunking } from '../domain/configuration.ts';

/** Raise this version when documents are read or split differently: all indexes are then rebuilt from scratch. */
const READER_VERSION = 1;

/** Identifies the settings that an index is built with. Sources of an index with another fingerprint are read again. */
export function fingerprintOf(chunking: Chunking, embedding: string | null, parsing: string | null = null): string {
  return JSON.stringify({ reader: READER_VERSION, chunking, embedding, ...(parsing !== null && { parsing }) });
}

/** The embedding model of an index; null if it has no vectors. */
export function embeddingOf(fingerprint: string | null): string | null {
  if (!fingerprint) return null;
  return (JSON.parse(fingerprint) as { readonly embedding: string | null }).embedding;
}
