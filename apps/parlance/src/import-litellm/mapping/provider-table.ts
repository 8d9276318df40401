import type { AddressForm } from './settings.ts';

type Type = 'openai' | 'anthropic' | 'bedrock' | 'openai_compatible';

/** How Parlance calls a provider of LiteLLM. */
export interface KnownProvider {
  readonly type: Type;
  /** The default address. Null: the type has its own, or LiteLLM's configuration must have one. */
  readonly baseUrl: string | null;
  readonly form: AddressForm;
  /** The variable from which LiteLLM reads the key if the configuration has none. Null: no key is needed. */
  readonly keyVariable: string | null;
}

const compatible = (baseUrl: string | null, keyVariable: string | null, form: AddressForm = 'plain'): KnownProvider => ({
  type: 'openai_compatible',
  baseUrl,
  form,
  keyVariable,
});

/** By LiteLLM's prefix of models. All others cannot be called by Parlance. */
export const KNOWN_PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  openai: { type: 'openai', baseUrl: null, form: 'plain', keyVariable: 'OPENAI_API_KEY' },
  anthropic: { type: 'anthropic', baseUrl: null, form: 'v1', keyVariable: 'ANTHROPIC_API_KEY' },
  bedrock: { type: 'bedrock', baseUrl: null, form: 'plain', keyVariable: null },
  azure: compatible(null, 'AZURE_API_KEY', 'azure'),
  cerebras: compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  custom_openai: compatible(null, null),
  deepinfra: compatible('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  deepseek: compatible('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  fireworks_ai: compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  gemini: compatible('https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'),
  groq: compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  hosted_vllm: compatible(null, null),
  litellm_proxy: compatible(null, null),
  llamafile: compatible('http://127.0.0.1:8080/v1', null),
  lm_studio: compatible(null, null),
  mistral: compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  nvidia_nim: compatible('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
  ollama: compatible('http://localhost:11434/v1', null, 'v1'),
  ollama_chat: compatible('http://localhost:11434/v1', null, 'v1'),
  openai_like: compatible(null, null),
  openrouter: compatible('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  perplexity: compatible('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY'),
  sambanova: compatible('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  together_ai: compatible('https://api.together.xyz/v1', 'TOGETHERAI_API_KEY'),
  xai: compatible('https://api.x.ai/v1', 'XAI_API_KEY'),
};

/** Words between the provider and the model, which choose one of the provider's APIs. */
const WORDS = /^(converse|converse_like|invoke|responses|chat|o_series|gpt5_series)\//;
const REGION = /^([a-z]{2}(?:-[a-z]+)+-\d)\//;

export interface NamedModel {
  readonly provider: string;
  readonly model: string;
  /** The region in the name of a model of Amazon Bedrock. */
  readonly region: string | null;
}

/** Splits `provider/model`. Null if the provider cannot be found. */
export function namedModel(text: string, customProvider: string | null): NamedModel | null {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? '' : text.slice(0, slash);
  const hasPrefix = prefix !== '' && (customProvider === null || customProvider === prefix);
  const provider = customProvider ?? (hasPrefix ? prefix : guessed(text));
  if (provider === null) return null;
  let model = hasPrefix ? text.slice(slash + 1) : text;
  model = model.replace(WORDS, '');
  const region = provider === 'bedrock' ? (REGION.exec(model)?.[1] ?? null) : null;
  return { provider, model: region === null ? model : model.slice(region.length + 1), region };
}

/** LiteLLM also accepts names without a provider. */
function guessed(model: string): string | null {
  if (/^(gpt-|o\d|chatgpt-|text-embedding-|tts-|whisper-|dall-e-|omni-moderation)/.test(model)) return 'openai';
  return model.startsWith('claude-') ? 'anthropic' : null;
}
