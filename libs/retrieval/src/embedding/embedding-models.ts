import type { EmbeddingPurpose } from './embedder.ts';
import type { EmbedOptions, OpenModel } from './provider-embedder.ts';

/** A configured provider. */
export interface ProviderSettings {
  readonly type: string;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly region: string | null;
  readonly access_key_id: string | null;
  readonly secret_access_key: string | null;
}

const COMPATIBLE = 'openai_compatible';

/** How to open a provider's embedding model through the AI SDK. Null for a provider without embedding models. */
export function openModel(settings: ProviderSettings, model: string): OpenModel | null {
  const { type, base_url: baseURL, api_key: apiKey, region, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = settings;
  switch (type) {
    case 'openai':
      return async (fetch) => {
        const { createOpenAI } = await import('@ai-sdk/openai');
        return createOpenAI({ apiKey: apiKey ?? '', fetch, ...(baseURL !== null && { baseURL }) }).embeddingModel(model);
      };
    case COMPATIBLE:
      return async (fetch) => {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        return createOpenAICompatible({
          name: COMPATIBLE,
          baseURL: baseURL ?? '',
          fetch,
          ...(apiKey !== null && { apiKey }),
        }).embeddingModel(model);
      };
    case 'bedrock':
      return async (fetch) => {
        const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
        // Every setting is passed, because the SDK reads missing ones from the environment.
        return createAmazonBedrock({
          region: region ?? '',
          apiKey: apiKey ?? '',
          accessKeyId: accessKeyId ?? '',
          secretAccessKey: secretAccessKey ?? '',
          sessionToken: '',
          fetch,
          ...(baseURL !== null && { baseURL }),
        }).embeddingModel(model);
      };
    default:
      return null;
  }
}

/** Options that state the purpose of the vectors, for the models of Amazon Bedrock. Other providers have no such option. */
export function optionsOf(type: string): ((purpose: EmbeddingPurpose) => EmbedOptions) | undefined {
  if (type !== 'bedrock') return undefined;
  return (purpose) => ({
    bedrock:
      purpose === 'query'
        ? { inputType: 'search_query', embeddingPurpose: 'GENERIC_RETRIEVAL' }
        : { inputType: 'search_document', embeddingPurpose: 'GENERIC_INDEX' },
  });
}
