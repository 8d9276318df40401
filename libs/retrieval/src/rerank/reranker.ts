import type { EmbeddingTokens } from '../embedding/embedder.ts';

export interface Ranked {
  /** Index of the document in the given list. */
  readonly index: number;
  /** Relevance. Higher is better. The range depends on the model. */
  readonly score: number;
}

/** The billed amounts of a call: searches or tokens. */
export interface RerankUse extends EmbeddingTokens {
  readonly searches: number;
}

/** The maximum number of documents per call. */
export const MOST_DOCUMENTS = 200;

/** Orders documents by their relevance to a query, with a model that reads both together. */
export abstract class Reranker {
  /** Name of the model, for logs and timings. */
  abstract readonly name: string;

  /**
   * The most relevant documents, best first, at most `topN`, without duplicates. A call without documents reaches no model. Throws
   * `RemoteUnavailable` or `RemoteRefused`, and RangeError for more than `MOST_DOCUMENTS`. Rejects with the signal's reason if the signal is
   * aborted. `onPaid` is called when the service has answered, even if the answer cannot be used.
   */
  abstract rerank(
    query: string,
    documents: readonly string[],
    topN: number,
    signal: AbortSignal,
    onPaid?: (use: RerankUse) => void,
  ): Promise<readonly Ranked[]>;

  abstract close(): Promise<void>;
}

/** Throws RangeError for too many documents. */
export function checkDocuments(documents: readonly string[]): void {
  if (documents.length > MOST_DOCUMENTS) throw new RangeError(`${documents.length} documents in one call; at most ${MOST_DOCUMENTS}`);
}

/** The ranking ordered by score, or null if it names a document twice or one that was not sent. */
export function checkedRanking(ranking: readonly Ranked[], count: number, topN: number): readonly Ranked[] | null {
  const isKnown = ({ index, score }: Ranked) => Number.isInteger(index) && index >= 0 && index < count && Number.isFinite(score);
  if (!ranking.every(isKnown) || new Set(ranking.map(({ index }) => index)).size !== ranking.length) return null;
  return ranking.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, topN);
}
