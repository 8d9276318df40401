/** A part of a document of another system. */
export interface ImportedChunk {
  readonly id: string;
  readonly text: string;
  /** Address or path of the document. */
  readonly source: string;
  /** Name of the document for people. */
  readonly source_name: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  /** Relevance. Higher is better; the range depends on the system. */
  readonly score: number;
}

export interface ImportedSearch {
  /** Number of chunks, 1 to `MOST_IMPORTED_CHUNKS`. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export const MOST_IMPORTED_CHUNKS = 100;
/** A longer text of a chunk breaks the contract. */
export const MOST_CHUNK_CHARACTERS = 65_536;

/** Searches a knowledge base that another system maintains. */
export abstract class ImportedRetriever {
  /**
   * At most `limit` chunks in the order of the other system. Throws `RemoteUnavailable` when it can't be used now and `RemoteRefused` when
   * it can't be used as it is configured or its answer breaks the contract. Throws RangeError for a limit outside 1 to
   * `MOST_IMPORTED_CHUNKS`. Rejects with the reason of the signal when it is aborted.
   */
  abstract retrieve(query: string, search: ImportedSearch): Promise<readonly ImportedChunk[]>;

  abstract close(): Promise<void>;
}
