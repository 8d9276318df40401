export const PROVIDERS = ['anthropic', 'openai', 'bedrock', 'openai_compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ModelChoice {
  readonly provider: Provider;
  /** For Amazon Bedrock. */
  readonly region: string;
  /** For your own server. */
  readonly baseUrl: string;
  readonly model: string;
  readonly contextWindow: number;
}

/** The value of the configuration key `models` for a provider. It extends the built-in catalogue. */
function modelsOf({ provider, region, baseUrl, model, contextWindow }: ModelChoice): object {
  switch (provider) {
    case 'anthropic':
      return { extends: 'builtin', providers: { anthropic: { type: 'anthropic', api_key: 'YOUR_ANTHROPIC_KEY' } } };
    case 'openai':
      return { extends: 'builtin', providers: { openai: { type: 'openai', api_key: 'YOUR_OPENAI_KEY' } } };
    case 'bedrock':
      return { extends: 'builtin', providers: { bedrock: { type: 'bedrock', region, api_key: 'YOUR_BEDROCK_KEY' } } };
    case 'openai_compatible':
      return {
        extends: 'builtin',
        providers: { own_server: { type: 'openai_compatible', base_url: baseUrl } },
        models: [{ id: idOf(model), name: model, provider: 'own_server', model, context_window: contextWindow, prices: FREE }],
      };
  }
}

/** Your own server has no list price. */
const FREE = [{ from: '2026-01-01T00:00:00Z', input: 0, output: 0 }];

/** A model ID that is safe in URLs, such as `qwen3-32b` for `qwen3:32b`. */
const idOf = (model: string): string =>
  model
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '') || 'own-model';

/** For parlance.config.json. */
export const asFile = (choice: ModelChoice): string => JSON.stringify({ models: modelsOf(choice) }, null, 2);

/** For a POSIX shell. */
export const asVariable = (choice: ModelChoice): string =>
  `PARLANCE_MODELS='${JSON.stringify(modelsOf(choice)).replaceAll("'", String.raw`'\''`)}'`;
