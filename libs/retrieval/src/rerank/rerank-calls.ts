import { RemoteRefused } from '../remote/failures.ts';
import { type Patience, RemoteService } from '../remote/remote-service.ts';
import { checkDocuments, checkedRanking, type Ranked, Reranker, type RerankUse } from './reranker.ts';
import { rerankUse } from './rerank-use.ts';

/** A user waits for the answer, so a failed call is not retried: the caller uses the order of the search. */
const PATIENCE: Patience = { deadlineMillis: 5_000, attempts: 1, firstWaitMillis: 0, longestWaitMillis: 0 };

/** A ranking of 200 documents has a few kilobytes. Some services also return the documents. */
export const MOST_RANKING_BYTES = 4 * 1024 ** 2;

/** Shared by all network rerankers: bounds, time limit, circuit breaker and checks of the answer. */
export abstract class RemoteReranker extends Reranker {
  protected readonly label: string;
  private readonly service: RemoteService;

  constructor(
    readonly name: string,
    private readonly patience: Patience = PATIENCE,
  ) {
    super();
    this.label = `The reranker ${name}`;
    this.service = new RemoteService(this.label);
  }

  async rerank(
    query: string,
    documents: readonly string[],
    topN: number,
    signal: AbortSignal,
    onPaid: (use: RerankUse) => void = () => {},
  ): Promise<readonly Ranked[]> {
    checkDocuments(documents);
    signal.throwIfAborted();
    const most = Math.min(topN, documents.length);
    if (most <= 0) return [];
    return this.service.call(this.patience, signal, async (each) => {
      const answer = await this.ask(query, documents, most, each);
      onPaid(rerankUse(answer, query, documents));
      const ranking = checkedRanking(this.rankingOf(answer), documents.length, most);
      if (ranking === null) throw new RemoteRefused(this.label, 'its answer names a document twice or one that was not sent');
      return ranking;
    });
  }

  async close(): Promise<void> {
    this.service.close();
  }

  /** The service's answer. */
  protected abstract ask(query: string, documents: readonly string[], topN: number, signal: AbortSignal): Promise<unknown>;

  /** Throws `RemoteRefused` for an answer without a ranking. */
  protected abstract rankingOf(answer: unknown): readonly Ranked[];
}
