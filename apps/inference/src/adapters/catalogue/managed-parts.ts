import type { ModelEntry, ModelProvider, ModelRoute } from '@parlance/config';
import type { ManagedCatalogue, ManagedProvider, ModelTerms, ProviderTerms, RouteTerms } from '../../domain/catalogue/managed-catalogue.ts';

/** The opened credentials of a provider, as in a catalogue file. */
export type Credentials = Pick<ModelProvider, 'api_key' | 'access_key_id' | 'secret_access_key'>;

export const NO_CREDENTIALS: Credentials = { api_key: null, access_key_id: null, secret_access_key: null };

/** What administrators have added, in the form of a catalogue file. */
export interface ManagedParts {
  readonly providers: Readonly<Record<string, ModelProvider>>;
  readonly models: readonly ModelEntry[];
  readonly routes: readonly ModelRoute[];
}

export const NO_PARTS: ManagedParts = { providers: {}, models: [], routes: [] };

export function partsOf({ providers, models, routes }: ManagedCatalogue, credentials: ReadonlyMap<string, Credentials>): ManagedParts {
  const opened = (id: string, provider: ManagedProvider) => providerOf(provider, credentials.get(id) ?? NO_CREDENTIALS);
  return {
    providers: Object.fromEntries(Object.entries(providers).map(([id, provider]) => [id, opened(id, provider)])),
    models: Object.entries(models).map(([id, terms]) => entryOf(id, terms)),
    routes: Object.entries(routes).map(([id, terms]) => routeOf(id, terms)),
  };
}

const providerOf = (terms: ProviderTerms, credentials: Credentials): ModelProvider => ({
  type: terms.type,
  base_url: terms.baseUrl,
  region: terms.region,
  max_concurrent_calls: terms.maxConcurrentCalls,
  queue_timeout_seconds: terms.queueTimeoutSeconds,
  first_token_timeout_seconds: terms.firstTokenTimeoutSeconds,
  token_timeout_seconds: terms.tokenTimeoutSeconds,
  ...credentials,
});

/** Its prices are set in the same way as those of other models, and are not in its entry. */
const entryOf = (
  id: string,
  { provider, model, name, contextWindow, maxOutputTokens, capabilities, fallbacks }: ModelTerms,
): ModelEntry => ({
  id,
  provider,
  model,
  name,
  prices: [],
  context_window: contextWindow,
  max_output_tokens: maxOutputTokens,
  capabilities,
  fallbacks,
});

const routeOf = (id: string, { strategy, targets, fallbacks, retries, timeoutSeconds }: RouteTerms): ModelRoute => ({
  id,
  strategy,
  targets,
  fallbacks,
  retries,
  timeout_seconds: timeoutSeconds,
});
