import { type Patience, RemoteService } from '../remote/remote-service.ts';
import { type ImportedChunk, ImportedRetriever, type ImportedSearch, MOST_IMPORTED_CHUNKS } from './imported-retriever.ts';

/** A user waits for the answer, so there is one quick retry. */
const PATIENCE: Patience = { deadlineMillis: 10_000, attempts: 2, firstWaitMillis: 250, longestWaitMillis: 1_000 };

/** 100 chunks of usual size have a few hundred kilobytes. The limit also bounds the parsing time. */
export const MOST_RETRIEVAL_BYTES = 2 * 1024 ** 2;

/** Shared by all network retrievers: bounds, time limit, one retry and a circuit breaker. */
export abstract class RemoteRetriever extends ImportedRetriever {
  private readonly service: RemoteService;

  constructor(
    protected readonly label: string,
    private readonly patience: Patience = PATIENCE,
  ) {
    super();
    this.service = new RemoteService(label);
  }

  async retrieve(query: string, { limit, signal }: ImportedSearch): Promise<readonly ImportedChunk[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_IMPORTED_CHUNKS)
      throw new RangeError(`a limit of ${limit}; allowed are 1 to ${MOST_IMPORTED_CHUNKS}`);
    signal.throwIfAborted();
    return this.service.call(this.patience, signal, (each) => this.ask(query, limit, each));
  }

  async close(): Promise<void> {
    this.service.close();
  }

  protected abstract ask(query: string, limit: number, signal: AbortSignal): Promise<readonly ImportedChunk[]>;
}
