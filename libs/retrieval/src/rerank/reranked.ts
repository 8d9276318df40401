import { RemoteRefused, RemoteUnavailable } from '../remote/failures.ts';
import { MOST_DOCUMENTS, type Reranker, type RerankUse } from './reranker.ts';

export interface Reranked<Found> {
  /** The score is null if the order is the search's. */
  readonly found: readonly { readonly one: Found; readonly score: number | null }[];
  /** False if the order is the search's, because there is no reranker or it failed. */
  readonly reranked: boolean;
  /** The reason of a failure, as a sentence. */
  readonly failure: string | null;
}

export interface RerankOptions<Found> {
  readonly textOf: (one: Found) => string;
  readonly topN: number;
  readonly signal: AbortSignal;
  readonly onPaid?: (use: RerankUse) => void;
}

/**
 * The best `topN` results of a search, in the reranker's order. If the reranker fails, the search's order is used. Rejects with the signal's
 * reason if the signal is aborted.
 */
export async function rerankedOrFused<Found>(
  reranker: Reranker | null,
  query: string,
  found: readonly Found[],
  { textOf, topN, signal, onPaid }: RerankOptions<Found>,
): Promise<Reranked<Found>> {
  const fused = { found: found.slice(0, topN).map((one) => ({ one, score: null })), reranked: false };
  if (reranker === null || found.length === 0) return { ...fused, failure: null };
  const candidates = found.slice(0, MOST_DOCUMENTS);
  try {
    const ranking = await reranker.rerank(query, candidates.map(textOf), topN, signal, onPaid);
    return { found: ranking.map(({ index, score }) => ({ one: candidates[index]!, score })), reranked: true, failure: null };
  } catch (error) {
    if (error instanceof RemoteUnavailable || error instanceof RemoteRefused) return { ...fused, failure: error.message };
    throw error;
  }
}
