/** A part of a document in another system. */
export interface ImportedChunk {
  readonly id: string;
  readonly text: string;
  /** Address or path of the document. */
  readonly source: string;
  /** Display name of the document. */
  readonly source_name: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  /** Relevance. Higher is better. The range depends on the system. */
  readonly score: number;
}

export interface ImportedSearch {
  /** Number of chunks, 1 to `MOST_IMPORTED_CHUNKS`. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export const MOST_IMPORTED_CHUNKS = 100;
/** A chunk with a longer text breaks the contract. */
export const MOST_CHUNK_CHARACTERS = 65_536;

/** Searches a knowledge base in another system. */
export abstract class ImportedRetriever {
  /**
   * At most `limit` chunks in the other system's order. Throws `RemoteUnavailable` if the system cannot be used now and `RemoteRefused` if it
   * cannot be used as configured or its answer breaks the contract. Throws RangeError for a limit outside 1 to `MOST_IMPORTED_CHUNKS`. Rejects
   * with the signal's reason if the signal is aborted.
   */
  abstract retrieve(query: string, search: ImportedSearch): Promise<readonly ImportedChunk[]>;

  abstract close(): Promise<void>;
}
