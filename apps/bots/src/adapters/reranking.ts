import { type Reranked, type Reranker, rerankedOrFused, type RerankUse } from '@parlance/retrieval';
import type { Logger } from 'pino';

/** The usage of a reranker, with its name. */
export interface PaidReranking extends RerankUse {
  readonly model: string;
}

/** The reranker of this installation, if there is one. It limits the time of its calls itself. */
export class Reranking {
  constructor(
    private readonly reranker: Reranker | null,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  get isConfigured(): boolean {
    return this.reranker !== null;
  }

  /** The best results of a search. Without a reranker, or while it is unavailable, their order does not change. */
  async best<Found>(
    query: string,
    found: readonly Found[],
    { textOf, topN, onPaid }: { textOf: (one: Found) => string; topN: number; onPaid: (paid: PaidReranking) => void },
  ): Promise<Reranked<Found>> {
    const { signal } = new AbortController();
    const charged = (use: RerankUse) => onPaid({ model: this.reranker!.name, ...use });
    const reranked = await rerankedOrFused(this.reranker, query, found, { textOf, topN, signal, onPaid: charged });
    if (reranked.failure !== null) this.log.warn({ failure: reranked.failure }, 'the results of a search were not reranked');
    return reranked;
  }

  async close(): Promise<void> {
    await this.reranker?.close();
  }
}
