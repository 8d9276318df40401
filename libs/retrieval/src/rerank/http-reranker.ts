import { RemoteRefused } from '../remote/failures.ts';
import { JsonCalls } from '../remote/json-calls.ts';
import type { Patience } from '../remote/remote-service.ts';
import { MOST_RANKING_BYTES, RemoteReranker } from './rerank-calls.ts';
import type { Ranked } from './reranker.ts';

export interface HttpRerankerOptions {
  readonly url: string;
  readonly model: string | null;
  readonly api_key: string | null;
  /** `documents` for the form of Jina and Cohere, `texts` for Text Embeddings Inference. */
  readonly document_field: 'documents' | 'texts';
  readonly patience?: Patience;
}

interface RankedOverHttp {
  readonly index?: unknown;
  readonly relevance_score?: unknown;
  readonly score?: unknown;
}

/**
 * A rerank endpoint over HTTP. The request is `{"query", "documents", "top_n", "model"?}`, or `{"query", "texts", "truncate": true}` for Text
 * Embeddings Inference. The answer is `{"results": [{"index", "relevance_score"}]}` or `[{"index", "score"}]`.
 */
export class HttpReranker extends RemoteReranker {
  private readonly calls: JsonCalls;

  constructor(private readonly options: HttpRerankerOptions) {
    super(options.model ?? 'http', options.patience);
    this.calls = new JsonCalls(this.label, MOST_RANKING_BYTES);
  }

  protected async ask(query: string, documents: readonly string[], topN: number, signal: AbortSignal): Promise<unknown> {
    const { url, model, api_key: key, document_field: field } = this.options;
    const body =
      field === 'texts' ? { query, texts: documents, truncate: true } : { query, documents, top_n: topN, ...(model !== null && { model }) };
    return this.calls.post(url, body, key, signal);
  }

  protected rankingOf(answer: unknown): readonly Ranked[] {
    const results = Array.isArray(answer) ? answer : (answer as { results?: unknown } | null)?.results;
    if (!Array.isArray(results)) throw new RemoteRefused(this.label, 'its answer has no list of results');
    return results.map((each: RankedOverHttp | null) => ({
      index: numberOf(each?.index),
      score: numberOf(each?.relevance_score ?? each?.score),
    }));
  }
}

/** The check of the ranking refuses NaN. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
