import { type Config, PROVIDER_TYPES } from '@parlance/config';
import type { CalledModel, ModelCalls } from '@parlance/observability';
import {
  type Embedded,
  Embedder,
  type EmbeddingPurpose,
  type EmbeddingTokens,
  RemoteRefused,
  RemoteUnavailable,
} from '@parlance/retrieval';

/** The names of the embedding model in spans and metrics. Null for a model on this machine, and without one. */
export function calledEmbedding({ models }: Pick<Config, 'models'>): CalledModel | null {
  const entry = models?.models.find(({ id }) => id === models.defaults.embedding);
  const type = entry && models?.providers[entry.provider]?.type;
  if (!entry || !type || type === 'local') return null;
  const provider = PROVIDER_TYPES[type].telemetryName ?? entry.provider;
  return { operation: 'embeddings', provider, model: entry.model, attributes: { 'parlance.model': entry.id } };
}

/** The embedding model of a provider, whose calls have spans and metrics. */
export class ObservedEmbedder extends Embedder {
  constructor(
    private readonly embedder: Embedder,
    private readonly called: CalledModel,
    private readonly calls: ModelCalls,
  ) {
    super();
  }

  get id(): string {
    return this.embedder.id;
  }

  get space(): string {
    return this.embedder.space;
  }

  get dimensions(): number | null {
    return this.embedder.dimensions;
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
    onPaid: (paid: EmbeddingTokens) => void = () => {},
  ): Promise<Embedded> {
    const call = this.calls.begin(this.called);
    const usage: { inputTokens: number; outputTokens: number; suspicious?: true } = { inputTokens: 0, outputTokens: 0 };
    const counting = (paid: EmbeddingTokens) => {
      usage.inputTokens += paid.tokens;
      if (paid.suspicious) usage.suspicious = true;
      onPaid(paid);
    };
    try {
      const embedded = await this.embedder.embed(texts, purpose, signal, counting);
      call.ended({ usage });
      return embedded;
    } catch (error) {
      call.failed(errorTypeOf(error, signal), usage.inputTokens > 0 ? usage : null);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.embedder.close();
  }
}

function errorTypeOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return 'cancelled';
  if (error instanceof RemoteUnavailable) return 'provider_unavailable';
  return error instanceof RemoteRefused ? 'request_refused' : '_OTHER';
}
