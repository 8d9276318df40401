import type { ChatModel, GenerationParameters } from '../chat-model.ts';
import { LocalExtractive } from '../local/local-extractive.ts';
import type { ProviderHttp } from './provider-http.ts';
import { type Dialect, ProviderModel } from './provider-model.ts';
import type { SdkCall } from './sdk-prompt.ts';

/** A configured provider. */
export interface ProviderSettings {
  readonly type: 'bedrock' | 'anthropic' | 'openai' | 'openai_compatible' | 'local';
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly region: string | null;
  readonly access_key_id: string | null;
  readonly secret_access_key: string | null;
}

/** A configured model. */
export interface ModelSettings {
  /** The provider's name of the model. */
  readonly model: string;
  readonly max_output_tokens: number | null;
  readonly context_window: number;
  readonly capabilities: readonly string[];
}

const COMPATIBLE = 'openai_compatible';
/** Models that accept an effort instead of a number of tokens get a low or medium effort for reasoning budgets up to these values. */
const LOW_EFFORT_TOKENS = 2_048;
const MEDIUM_EFFORT_TOKENS = 8_192;
/** Claude models up to 4.5 accept a number of tokens for reasoning. Later models accept an effort. */
export const TAKES_BUDGET = /claude-(?:3-7-|(?:opus|sonnet|haiku)-4-(?:0|1|5|2025))/;
/** Providers refuse a smaller budget. */
export const LEAST_REASONING_TOKENS = 1_024;
/** Models of Amazon Bedrock that accept cache marks. Others refuse a request with one. */
const BEDROCK_CACHES = /anthropic\.claude|amazon\.nova/;

/** The base URL of the provider's API. Null for a provider without one. */
export function baseUrlOf({ type, base_url, region }: ProviderSettings): string | null {
  if (base_url !== null) return base_url.replace(/\/+$/, '');
  switch (type) {
    case 'openai':
      return 'https://api.openai.com/v1';
    case 'anthropic':
      return 'https://api.anthropic.com/v1';
    case 'bedrock':
      return region === null ? null : `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
    case COMPATIBLE:
    case 'local':
      return null;
  }
}

/** Whether the configuration has everything that the provider needs. A server compatible with OpenAI may need no key. */
export function hasCredentials(provider: ProviderSettings): boolean {
  switch (provider.type) {
    case 'local':
      return true;
    case COMPATIBLE:
      return provider.base_url !== null;
    case 'bedrock':
      return (
        baseUrlOf(provider) !== null &&
        (provider.api_key !== null || (provider.access_key_id !== null && provider.secret_access_key !== null))
      );
    case 'openai':
    case 'anthropic':
      return provider.api_key !== null;
  }
}

/**
 * Opens a model of a provider that has credentials. No request is sent and no provider package is loaded before the first use. Throws if a provider
 * other than `local` has no base URL, because another model would answer at its price.
 */
export function openChatModel(entry: ModelSettings, provider: ProviderSettings, http: ProviderHttp | null): ChatModel {
  const { type } = provider;
  if (type === 'local') return new LocalExtractive();
  if (http === null) throw new Error(`The provider of the model ${entry.model} has no base URL.`);
  return new ProviderModel(dialectOf(entry, { ...provider, type }, http.fetch as typeof globalThis.fetch), {
    contextWindow: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    capabilities: entry.capabilities,
  });
}

export type RemoteProvider = ProviderSettings & { readonly type: Exclude<ProviderSettings['type'], 'local'> };

// Every setting is passed, because the SDKs read missing ones from the environment.
export function dialectOf(entry: ModelSettings, provider: RemoteProvider, fetch: typeof globalThis.fetch): Dialect {
  const { model } = entry;
  const baseURL = baseUrlOf(provider) ?? '';
  const apiKey = provider.api_key ?? '';
  switch (provider.type) {
    case 'openai':
      return {
        open: async () => (await import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL, fetch }).responses(model),
        // Responses have neither stop sequences nor a seed.
        openTranslated: async () => (await import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL, fetch }).chat(model),
        // OpenAI must not store the conversation.
        options: (prompt) => ({ ...effortOf(prompt), providerOptions: { openai: { store: false } } }),
        cacheMark: null,
        requestIdHeader: 'x-request-id',
      };
    case 'anthropic':
      return {
        open: async () => (await import('@ai-sdk/anthropic')).createAnthropic({ apiKey, baseURL, fetch }).languageModel(model),
        options: (prompt) => anthropicReasoning(model, prompt),
        cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        requestIdHeader: 'request-id',
      };
    case 'bedrock': {
      const { region, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = provider;
      const keys = { apiKey, accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '', sessionToken: '' };
      return {
        open: async () =>
          (await import('@ai-sdk/amazon-bedrock'))
            .createAmazonBedrock({ ...keys, region: region ?? '', baseURL, fetch })
            .languageModel(model),
        options: (prompt) => bedrockReasoning(model, prompt),
        cacheMark: BEDROCK_CACHES.test(model) ? { amazonBedrock: { cachePoint: { type: 'default' } } } : null,
        requestIdHeader: 'x-amzn-requestid',
      };
    }
    case COMPATIBLE:
      return {
        open: async () =>
          (await import('@ai-sdk/openai-compatible'))
            .createOpenAICompatible({
              name: COMPATIBLE,
              baseURL,
              fetch,
              includeUsage: true,
              supportsStructuredOutputs: true,
              ...(apiKey !== '' && { apiKey }),
            })
            .chatModel(model),
        // Many servers refuse the parameter for models without reasoning.
        options: (prompt) => (entry.capabilities.includes('reasoning') ? effortOf(prompt) : {}),
        cacheMark: null,
        requestIdHeader: 'x-request-id',
      };
  }
}

type ReasoningPrompt = { readonly parameters: Pick<GenerationParameters, 'reasoningTokens'> };
type Reasoning = Pick<SdkCall, 'reasoning' | 'providerOptions'>;

function effortOf({ parameters: { reasoningTokens: tokens } }: ReasoningPrompt): Pick<SdkCall, 'reasoning'> {
  if (tokens === null) return {};
  return { reasoning: tokens <= LOW_EFFORT_TOKENS ? 'low' : tokens <= MEDIUM_EFFORT_TOKENS ? 'medium' : 'high' };
}

function anthropicReasoning(model: string, prompt: ReasoningPrompt): Reasoning {
  const { reasoningTokens: tokens } = prompt.parameters;
  if (tokens === null) return {};
  const budget = { type: 'enabled', budgetTokens: Math.max(LEAST_REASONING_TOKENS, tokens) } as const;
  if (TAKES_BUDGET.test(model)) return { providerOptions: { anthropic: { thinking: budget } } };
  return { ...effortOf(prompt), providerOptions: { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } } };
}

function bedrockReasoning(model: string, prompt: ReasoningPrompt): Reasoning {
  const { reasoningTokens: tokens } = prompt.parameters;
  if (tokens === null) return {};
  const budget = { type: 'enabled', budgetTokens: Math.max(LEAST_REASONING_TOKENS, tokens) } as const;
  return TAKES_BUDGET.test(model) ? { providerOptions: { amazonBedrock: { reasoningConfig: budget } } } : effortOf(prompt);
}
