import type { GuardrailPrices, ModelEntry, ModelPrice, ModelProvider } from './model-catalogue.ts';
import type { ProviderType } from './provider-types.ts';

/** An entry with the defaults of the configuration. */
const entry = (given: Partial<ModelEntry> & Pick<ModelEntry, 'id' | 'provider' | 'model'>): ModelEntry => ({
  name: null,
  prices: [],
  context_window: 8_192,
  max_output_tokens: null,
  capabilities: [],
  fallbacks: [],
  ...given,
});

const from = (
  day: string,
  input: number,
  output: number,
  cache_read: number | null = null,
  cache_write: number | null = null,
  cache_write_1h: number | null = null,
): ModelPrice => ({
  from: `${day}T00:00:00Z`,
  input,
  output,
  cache_read,
  cache_write,
  cache_write_1h,
  web_search: null,
});

const provider = (type: ProviderType): ModelProvider => ({
  type,
  base_url: null,
  api_key: null,
  region: null,
  access_key_id: null,
  secret_access_key: null,
  max_concurrent_calls: 1_000,
  queue_timeout_seconds: 30,
  first_token_timeout_seconds: 120,
  token_timeout_seconds: 60,
});

const READS_FILES = ['vision', 'documents', 'reasoning', 'prompt_caching'];
const CLAUDE = { provider: 'anthropic', context_window: 1_000_000, max_output_tokens: 128_000, capabilities: READS_FILES } as const;
const GPT = { provider: 'openai', max_output_tokens: 128_000, capabilities: READS_FILES } as const;
const NOVA = {
  provider: 'bedrock',
  context_window: 300_000,
  max_output_tokens: 10_000,
  capabilities: ['vision', 'documents', 'prompt_caching', 'tools'],
};

/** Providers without credentials. A provider of the same name in the configuration supplies them. */
export const BUILTIN_PROVIDERS: Readonly<Record<string, ModelProvider>> = {
  anthropic: provider('anthropic'),
  openai: provider('openai'),
  bedrock: provider('bedrock'),
  local: provider('local'),
};

/**
 * Models that are known without configuration, the preferred model of each provider first. Prices are list prices in dollars per million tokens
 * from the providers' price pages, as of November 2026. They change, and they differ by region and contract: an installation should check them,
 * and override them with an entry of the same ID. If long prompts of a model have another price, its context window ends below that length.
 */
export const BUILTIN_MODELS: readonly ModelEntry[] = [
  entry({
    ...CLAUDE,
    id: 'claude-sonnet-5-5',
    model: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    prices: [from('2026-09-28', 2, 10, 0.2, 2.5, 4), from('2026-10-07', 2, 10, 0.1, 2.5, 4)],
  }),
  entry({
    ...CLAUDE,
    id: 'claude-opus-5-5',
    model: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    prices: [from('2026-09-22', 4, 20, 0.2, 5, 8)],
  }),
  entry({
    ...CLAUDE,
    id: 'claude-fable-5-1',
    model: 'claude-fable-5-1',
    name: 'Claude Fable 5.1',
    prices: [from('2026-09-01', 10, 50, 0.25, 12.5, 20)],
  }),
  entry({
    ...CLAUDE,
    id: 'claude-haiku-5-5',
    model: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    context_window: 100_000,
    prices: [from('2026-10-07', 0.1, 0.5, 0.01, 0.125, 0.2)],
  }),
  entry({
    ...CLAUDE,
    id: 'claude-haiku-4-5',
    model: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    context_window: 200_000,
    max_output_tokens: 64_000,
    prices: [from('2025-10-15', 1, 5, 0.1, 1.25, 2)],
  }),
  entry({
    ...GPT,
    id: 'gpt-6.1-sol',
    model: 'gpt-6.1-sol',
    name: 'GPT-6.1 Sol',
    context_window: 272_000,
    prices: [from('2026-09-29', 2, 10, 0.1, 2.5)],
  }),
  entry({
    ...GPT,
    id: 'gpt-6-luna',
    model: 'gpt-6-luna',
    name: 'GPT-6 Luna',
    context_window: 272_000,
    prices: [from('2026-09-22', 0.1, 0.5, 0.01, 0.125)],
  }),
  entry({
    ...NOVA,
    id: 'bedrock-nova-pro',
    model: 'us.amazon.nova-pro-v1:0',
    name: 'Amazon Nova Pro',
    prices: [from('2024-12-03', 0.8, 3.2, 0.2)],
  }),
  entry({
    ...NOVA,
    id: 'bedrock-nova-lite',
    model: 'us.amazon.nova-lite-v1:0',
    name: 'Amazon Nova Lite',
    prices: [from('2024-12-03', 0.06, 0.24, 0.015)],
  }),
  entry({
    ...NOVA,
    id: 'bedrock-nova-micro',
    model: 'us.amazon.nova-micro-v1:0',
    name: 'Amazon Nova Micro',
    context_window: 128_000,
    capabilities: ['prompt_caching', 'tools'],
    prices: [from('2024-12-03', 0.035, 0.14, 0.00875)],
  }),
  entry({
    ...CLAUDE,
    id: 'bedrock-claude-haiku-4-5',
    provider: 'bedrock',
    capabilities: [...READS_FILES, 'tools'],
    model: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    name: 'Claude Haiku 4.5 (Amazon Bedrock)',
    context_window: 200_000,
    max_output_tokens: 64_000,
    prices: [from('2025-10-15', 1, 5, 0.1, 1.25, 2)],
  }),
  entry({ id: 'local-extractive', provider: 'local', model: 'local-extractive', name: 'Offline model', context_window: 1_000_000 }),
];

/** List prices of guardrails of Amazon Bedrock, in dollars per 1,000 text units. */
export const BUILTIN_GUARDRAILS: GuardrailPrices = {
  prices: [
    {
      from: '2024-12-01T00:00:00Z',
      content: 0.15,
      topic: 0.15,
      sensitive_information: 0.1,
      contextual_grounding: 0.1,
      automated_reasoning: 0.17,
    },
  ],
};
