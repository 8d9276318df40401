import type { Embedder } from '@parlance/retrieval';
import type { Logger } from 'pino';

/** Texts that are embedded in one call. */
const AT_ONCE = 256;
/** A search does not wait longer than this for the vector of its query. */
const QUERY_MILLIS = 5_000;

/** The embedding model of this installation. Without one, search is lexical. */
export class Embedding {
  constructor(
    private readonly embedder: Embedder | null,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Names the model and its vectors. Indexes of another one are made again. */
  get space(): string | null {
    return this.embedder?.space ?? null;
  }

  /** Null without a model. Asks the model once. */
  async dimensions(signal: AbortSignal): Promise<number | null> {
    if (!this.embedder) return null;
    if (this.embedder.dimensions === null) await this.embedder.embed(['dimensions'], 'document', signal);
    return this.embedder.dimensions;
  }

  /** One vector for each text; none without a model. */
  async ofDocuments(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    if (!this.embedder) return [];
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE)
      vectors.push(...(await this.embedder.embed(texts.slice(from, from + AT_ONCE), 'document', signal)).vectors);
    return vectors;
  }

  /** Null without a model, and while it cannot be reached: the search is then lexical. */
  async ofQuery(query: string): Promise<Float32Array | null> {
    if (!this.embedder) return null;
    try {
      return (await this.embedder.embed([query], 'query', AbortSignal.timeout(QUERY_MILLIS))).vectors[0] ?? null;
    } catch (error) {
      this.log.warn({ err: error }, 'a query could not be embedded; the search is lexical');
      return null;
    }
  }

  async close(): Promise<void> {
    await this.embedder?.close();
  }
}
