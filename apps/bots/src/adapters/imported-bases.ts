import { refuse } from '@parlance/decider';
import type { ImportedRetriever } from '@parlance/retrieval';
import type { Logger } from 'pino';

/** The time limit of a search. It is shorter than inference waits, so that inference receives the refusal. */
const MOST_MILLIS = 4_000;

/** Knowledge bases of other systems, by their names in the configuration. */
export class ImportedBases {
  constructor(
    private readonly retrievers: ReadonlyMap<string, ImportedRetriever>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  has(name: string): boolean {
    return this.retrievers.has(name);
  }

  /** Throws the refusal `knowledge_unavailable` (unavailable). */
  async retrieve(name: string, query: string, limit: number) {
    try {
      const retriever = this.retrievers.get(name);
      if (!retriever) throw new Error(`retrievers has no ${name}`);
      return await retriever.retrieve(query, { limit, signal: AbortSignal.timeout(MOST_MILLIS) });
    } catch (error) {
      this.log.warn({ err: error, knowledgeBase: name }, 'a knowledge base of another system did not answer');
      throw refuse('unavailable', 'knowledge_unavailable', 'The knowledge base of this bot does not answer now. Try again later.', {
        retry_after: 5,
      });
    }
  }

  async close(): Promise<void> {
    for (const retriever of this.retrievers.values()) await retriever.close();
  }
}
