import type { EmbeddingModel } from 'ai';
import { boundedFetch } from '../remote/bounded-fetch.ts';
import { RemoteRefused } from '../remote/failures.ts';
import { type Patience, RemoteService } from '../remote/remote-service.ts';
import { type BatchLimits, batchesOf, cutToTokens } from './batches.ts';
import { checkCount, type Embedded, Embedder, type EmbeddingPurpose, type EmbeddingTokens, tokenSum, unitVector } from './embedder.ts';
import { tokensToPay } from './tokens-to-pay.ts';

type Model = Exclude<EmbeddingModel, string>;
export type EmbedOptions = NonNullable<Parameters<Model['doEmbed']>[0]['providerOptions']>;

/** Opens the model with a `fetch` that bounds answers. Called at the first use, so that an unused provider costs no memory. */
export type OpenModel = (fetch: typeof globalThis.fetch) => Promise<Model>;

/** Ingestion waits for an overloaded provider. A user who searches does not. */
export const PATIENCE: Readonly<Record<EmbeddingPurpose, Patience>> = {
  document: { deadlineMillis: 30_000, attempts: 5, firstWaitMillis: 500, longestWaitMillis: 30_000 },
  query: { deadlineMillis: 5_000, attempts: 2, firstWaitMillis: 200, longestWaitMillis: 1_000 },
};

const BATCH_BYTES = 256 * 1024;
const BATCH_TEXTS = 64;
/** An answer with this many numbers is parsed and checked in about 5 ms. */
const BATCH_NUMBERS = 16_384;
/** The assumed dimensions for the first batch. No common model has more than 4,096. */
const FIRST_BATCH_TEXTS = BATCH_NUMBERS / 4_096;
const BATCHES_AT_ONCE = 4;
/** A number has at most 25 characters of JSON. */
export const MOST_ANSWER_BYTES = 2 * 1024 ** 2;

export interface ProviderEmbedderOptions {
  readonly id: string;
  readonly space: string;
  readonly contextWindow: number;
  readonly open: OpenModel;
  readonly optionsOf?: (purpose: EmbeddingPurpose) => EmbedOptions;
  readonly patience?: Readonly<Record<EmbeddingPurpose, Patience>>;
}

interface Batch {
  readonly texts: string[];
  readonly purpose: EmbeddingPurpose;
  readonly onPaid: (paid: EmbeddingTokens) => void;
}

/** A provider's embedding model, through the AI SDK. */
export class ProviderEmbedder extends Embedder {
  readonly id: string;
  readonly space: string;
  private width: number | null = null;
  private readonly label: string;
  private readonly service: RemoteService;
  private opened: Promise<Model> | null = null;

  constructor(private readonly options: ProviderEmbedderOptions) {
    super();
    this.id = options.id;
    this.space = options.space;
    this.label = `The embedding model ${options.id}`;
    this.service = new RemoteService(this.label);
  }

  get dimensions(): number | null {
    return this.width;
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
    onPaid: (paid: EmbeddingTokens) => void = () => {},
  ): Promise<Embedded> {
    checkCount(texts);
    signal.throwIfAborted();
    if (texts.length === 0) return { vectors: [], tokens: 0, estimated: false };
    const model = await this.model();
    const cut = texts.map((text) => cutToTokens(text, this.options.contextWindow));
    const batches = batchesOf(cut, () => this.limits(model));
    const vectors = Array.from<Float32Array>({ length: texts.length });
    let sum: EmbeddingTokens = { tokens: 0, estimated: false };
    const paid = (part: EmbeddingTokens) => {
      sum = tokenSum(sum, part);
      onPaid(part);
    };
    // The first failure ends the other batches.
    const stop = new AbortController();
    const within = AbortSignal.any([signal, stop.signal]);
    const work = async () => {
      // The generator is shared: each worker takes the next batch, and a failure ends it.
      for (const batch of batches) {
        const part = await this.service.call((this.options.patience ?? PATIENCE)[purpose], within, (each) =>
          this.embedBatch(model, { texts: batch.texts, purpose, onPaid: paid }, each),
        );
        for (const [index, vector] of part.entries()) vectors[batch.from + index] = vector;
      }
    };
    const workers = Array.from({ length: BATCHES_AT_ONCE }, () =>
      work().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    );
    const [first] = (await Promise.allSettled(workers)).filter((each) => each.status === 'rejected');
    // The reason of the first failure, even for the batches that it ended.
    if (first) throw signal.aborted ? signal.reason : stop.signal.reason;
    return { vectors, ...sum };
  }

  async close(): Promise<void> {
    this.service.close();
  }

  private limits(model: Model): BatchLimits {
    const most = this.width === null ? FIRST_BATCH_TEXTS : Math.max(1, Math.floor(BATCH_NUMBERS / this.width));
    return { texts: Math.min(most, BATCH_TEXTS, maxPerCall(model)), bytes: BATCH_BYTES };
  }

  private model(): Promise<Model> {
    this.opened ??= this.options.open(boundedFetch(MOST_ANSWER_BYTES)).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private async embedBatch(model: Model, { texts: values, purpose, onPaid }: Batch, abortSignal: AbortSignal): Promise<Float32Array[]> {
    const { embedMany } = await import('ai');
    const providerOptions = this.options.optionsOf?.(purpose);
    const answer = await embedMany({ model, values, abortSignal, maxRetries: 0, ...(providerOptions && { providerOptions }) });
    const { tokens } = answer.usage;
    // Unusable answers are charged too.
    onPaid(tokensToPay(tokens, values));
    return this.checked(answer.embeddings, values.length);
  }

  /** Throws `RemoteRefused` unless there is one usable vector per text, all of one length. */
  private checked(embeddings: readonly (readonly number[])[], count: number): Float32Array[] {
    if (embeddings.length !== count) throw new RemoteRefused(this.label, `it answered ${embeddings.length} vectors for ${count} texts`);
    const width = this.width ?? embeddings[0]!.length;
    const vectors = embeddings.map((numbers) => {
      const vector = numbers.length === width ? unitVector(numbers) : null;
      if (vector === null) throw new RemoteRefused(this.label, 'it answered a vector of another length or without a direction');
      return vector;
    });
    this.width = width;
    return vectors;
  }
}

/** In the SDK's types `maxEmbeddingsPerCall` may be a promise. In the providers used here it is a number. */
function maxPerCall({ maxEmbeddingsPerCall: most }: Model): number {
  return typeof most === 'number' && most > 0 ? most : BATCH_TEXTS;
}
