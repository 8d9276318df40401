import type { Reranker } from '@parlance/retrieval';
import type { Logger } from 'pino';

const MOST_MILLIS = 5_000;

export interface Order {
  /** Places in the given list, the best first. The score is null if it is that of the search. */
  readonly order: readonly { readonly index: number; readonly score: number | null }[];
  readonly reranked: boolean;
}

/** The reranker of this installation, if there is one. */
export class Reranking {
  constructor(
    private readonly reranker: Reranker | null,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  get isConfigured(): boolean {
    return this.reranker !== null;
  }

  /** The best of the texts. They stay in their order without a reranker, and while it cannot be reached. */
  async order(query: string, texts: readonly string[], limit: number): Promise<Order> {
    if (this.reranker && texts.length > 0) {
      try {
        return { order: await this.reranker.rerank(query, texts, limit, AbortSignal.timeout(MOST_MILLIS)), reranked: true };
      } catch (error) {
        this.log.warn({ err: error }, 'the results of a search could not be reranked; they keep their order');
      }
    }
    return { order: texts.slice(0, limit).map((_, index) => ({ index, score: null })), reranked: false };
  }

  async close(): Promise<void> {
    await this.reranker?.close();
  }
}
