import type { RerankingModel, RerankResult } from 'ai';
import { boundedFetch } from '../remote/bounded-fetch.ts';
import type { Patience } from '../remote/remote-service.ts';
import { MOST_RANKING_BYTES, RemoteReranker } from './rerank-calls.ts';
import type { Ranked } from './reranker.ts';

type Model = Exclude<RerankingModel, string>;

export interface ProviderRerankerOptions {
  readonly model: string;
  /** Opens the model. Called at the first use, so that an unused provider costs no memory. */
  readonly open: (fetch: typeof globalThis.fetch) => Promise<Model>;
  readonly patience?: Patience;
}

/** A provider's reranking model, through the AI SDK. */
export class ProviderReranker extends RemoteReranker {
  private opened: Promise<Model> | null = null;

  constructor(private readonly options: ProviderRerankerOptions) {
    super(options.model, options.patience);
  }

  protected async ask(query: string, documents: readonly string[], topN: number, abortSignal: AbortSignal): Promise<unknown> {
    this.opened ??= this.options.open(boundedFetch(MOST_RANKING_BYTES));
    const [{ rerank }, model] = await Promise.all([import('ai'), this.opened]);
    const { ranking, response } = await rerank({ model, query, documents: [...documents], topN, abortSignal, maxRetries: 0 });
    return { ...(response.body as object | undefined), ranking };
  }

  protected rankingOf(answer: unknown): readonly Ranked[] {
    const { ranking } = answer as Pick<RerankResult<string>, 'ranking'>;
    return ranking.map(({ originalIndex, score }) => ({ index: originalIndex, score }));
  }
}
