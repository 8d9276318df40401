import { type Embedder, type EmbeddingTokens, tokenSum } from '@parlance/retrieval';
import type { Logger } from 'pino';

/** The most texts that are embedded in one call. */
const AT_ONCE = 256;
/** How long a search waits for the vector of its query. */
const QUERY_MILLIS = 5_000;

/** A provider's tokens, with the ID of the model whose price applies. */
export interface PaidEmbedding extends EmbeddingTokens {
  readonly model: string;
}

/** Records the tokens of a call that a provider has answered. */
export type RecordPaid = (paid: PaidEmbedding) => Promise<void>;

/** The embedding model of this installation. Without one, search is lexical. */
export class Embedding {
  constructor(
    private readonly embedder: Embedder | null,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Identifies the model and its vectors. Indexes of another model are rebuilt. */
  get space(): string | null {
    return this.embedder?.space ?? null;
  }

  /** The number of dimensions of the vectors; null without a model. The model is called once. */
  async dimensions(signal: AbortSignal, record: RecordPaid): Promise<number | null> {
    if (!this.embedder) return null;
    if (this.embedder.dimensions === null) await this.ofDocuments(['dimensions'], signal, record);
    return this.embedder.dimensions;
  }

  /** One vector for each text; none without a model. The cost of a call is recorded before its vectors are used, even if the call fails. */
  async ofDocuments(texts: readonly string[], signal: AbortSignal, record: RecordPaid): Promise<readonly Float32Array[]> {
    const { embedder } = this;
    if (!embedder) return [];
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      const paid = new Paid(embedder.id);
      try {
        const part = texts.slice(from, from + AT_ONCE);
        vectors.push(...(await embedder.embed(part, 'document', signal, (each) => paid.add(each))).vectors);
      } finally {
        if (paid.sum) await record(paid.sum);
      }
    }
    return vectors;
  }

  /** Null without a model, and while it cannot be reached: the search is then lexical. Calls `onPaid` at most once. */
  async ofQuery(query: string, onPaid: (paid: PaidEmbedding) => void): Promise<Float32Array | null> {
    const { embedder } = this;
    if (!embedder) return null;
    const paid = new Paid(embedder.id);
    try {
      return (await embedder.embed([query], 'query', AbortSignal.timeout(QUERY_MILLIS), (each) => paid.add(each))).vectors[0] ?? null;
    } catch (error) {
      this.log.warn({ err: error }, 'a query could not be embedded; the search is lexical');
      return null;
    } finally {
      if (paid.sum) onPaid(paid.sum);
    }
  }

  async close(): Promise<void> {
    await this.embedder?.close();
  }
}

/** The tokens of the requests of one call. */
class Paid {
  /** Null while no provider has answered. */
  sum: PaidEmbedding | null = null;

  constructor(private readonly model: string) {}

  add(paid: EmbeddingTokens): void {
    this.sum = { model: this.model, ...(this.sum ? tokenSum(this.sum, paid) : paid) };
  }
}
