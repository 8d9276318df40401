import { RemoteRefused } from '../remote/failures.ts';
import { JsonCalls } from '../remote/json-calls.ts';
import type { Patience } from '../remote/remote-service.ts';
import type { ImportedChunk } from './imported-retriever.ts';
import { MOST_RETRIEVAL_BYTES, RemoteRetriever } from './remote-retriever.ts';
import { BadRetrievalAnswer, chunksOf, type TextField } from './retrieval-answer.ts';

export interface HttpRetrieverOptions {
  readonly name: string;
  readonly url: string;
  readonly token: string | null;
  readonly patience?: Patience;
}

/** A retrieval endpoint over HTTP with the contract in docs/reference/retrieval-endpoint.md. */
export class HttpRetriever extends RemoteRetriever {
  private readonly calls: JsonCalls;

  constructor(private readonly options: HttpRetrieverOptions) {
    super(`The knowledge base ${options.name}`, options.patience);
    this.calls = new JsonCalls(this.label, MOST_RETRIEVAL_BYTES);
  }

  protected async ask(query: string, limit: number, signal: AbortSignal): Promise<readonly ImportedChunk[]> {
    const answer = await this.calls.post(this.options.url, { query, max_results: limit }, this.options.token, signal);
    return checkedChunks(this.label, answer, limit);
  }
}

/** Throws `RemoteRefused` for an answer that breaks the contract. */
export function checkedChunks(label: string, answer: unknown, limit: number, textField?: TextField): readonly ImportedChunk[] {
  try {
    return chunksOf(answer, limit, textField);
  } catch (error) {
    if (error instanceof BadRetrievalAnswer) throw new RemoteRefused(label, error.message);
    throw error;
  }
}
