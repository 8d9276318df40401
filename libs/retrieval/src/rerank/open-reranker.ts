import type { Reranker } from './reranker.ts';

/** The configured `reranker`. */
export interface RerankerSettings {
  readonly type: 'http' | 'cohere' | 'bedrock';
  readonly url: string | null;
  readonly model: string | null;
  readonly document_field: 'documents' | 'texts';
  readonly api_key: string | null;
  readonly region: string | null;
  readonly access_key_id: string | null;
  readonly secret_access_key: string | null;
}

/** The configured reranker, or null if there is none. No request is sent and no provider package is loaded before the first use. */
export async function openReranker({ reranker }: { readonly reranker: RerankerSettings | null }): Promise<Reranker | null> {
  if (reranker === null) return null;
  const { type, url, model, api_key, document_field } = reranker;
  if (type === 'http') {
    const { HttpReranker } = await import('./http-reranker.ts');
    return new HttpReranker({ url: url!, model, api_key, document_field });
  }
  const { ProviderReranker } = await import('./provider-reranker.ts');
  return new ProviderReranker({ model: model!, open: (fetch) => (type === 'cohere' ? cohere(reranker, fetch) : bedrock(reranker, fetch)) });
}

async function cohere({ url, model, api_key: apiKey }: RerankerSettings, fetch: typeof globalThis.fetch) {
  const { createCohere } = await import('@ai-sdk/cohere');
  return createCohere({ apiKey: apiKey ?? '', fetch, ...(url !== null && { baseURL: url }) }).rerankingModel(model!);
}

async function bedrock(settings: RerankerSettings, fetch: typeof globalThis.fetch) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  // Every setting is passed, because the SDK reads missing ones from the environment.
  return createAmazonBedrock({
    region: settings.region!,
    apiKey: settings.api_key ?? '',
    accessKeyId: settings.access_key_id ?? '',
    secretAccessKey: settings.secret_access_key ?? '',
    sessionToken: '',
    fetch,
    ...(settings.url !== null && { baseURL: settings.url }),
  }).rerankingModel(settings.model!);
}
