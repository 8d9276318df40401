import { BUILTIN_MODELS } from '@parlance/config';
import type { Deployment } from '../source/config-file.ts';
import { flagOf, numberOf, textOf } from '../source/fields.ts';
import { KNOWN_PROVIDERS, namedModel } from './provider-table.ts';
import { type Address, type Setting, settingOf } from './settings.ts';

export interface ProviderTerms {
  readonly type: 'openai' | 'anthropic' | 'bedrock' | 'openai_compatible';
  readonly address: Address | null;
  readonly region: Setting | null;
  readonly credentials: Readonly<Partial<Record<'api_key' | 'access_key_id' | 'secret_access_key', Setting>>>;
}

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

export interface ModelTerms {
  /** The provider's name of the model. */
  readonly model: string;
  readonly context_window: number | null;
  readonly max_output_tokens: number | null;
  readonly capabilities: readonly string[];
  /** Null if neither LiteLLM's configuration nor the built-in catalogue has a price. */
  readonly price: Price | null;
  readonly isOwnPrice: boolean;
}

export interface MappedDeployment {
  /** LiteLLM's prefix, from which the provider gets its ID. */
  readonly prefix: string;
  readonly provider: ProviderTerms;
  readonly model: ModelTerms;
}

export type Mapped = MappedDeployment | { readonly reason: string };

/** A deployment of LiteLLM as a provider and a model of Parlance, or the reason why it cannot be one. */
export function mappedDeployment({ modelName, params, info }: Deployment): Mapped {
  const whole = params['model'] as string;
  if (whole.includes('*') || modelName.includes('*'))
    return {
      reason: 'Parlance has no wildcards in names. Models of the built-in catalogue are available with the provider; add others by name.',
    };
  const named = namedModel(whole, textOf(params['custom_llm_provider']));
  if (named === null) return { reason: `No provider is known for ${whole}. Write provider/model.` };
  const known = KNOWN_PROVIDERS[named.provider];
  if (!known || !Object.hasOwn(KNOWN_PROVIDERS, named.provider))
    return { reason: `Parlance cannot call the provider ${named.provider}. If it has an API like OpenAI's, use openai/ with api_base.` };
  const given = settingOf(params['api_base'] ?? params['base_url']);
  const isOpenAi = named.provider === 'openai' && given !== null && !('text' in given && given.text.includes('//api.openai.com'));
  const type = isOpenAi ? 'openai_compatible' : known.type;
  const address = addressOf(named.provider, type, given);
  if (type === 'openai_compatible' && address === null)
    return { reason: `The provider ${named.provider} needs an address, and the deployment has no api_base.` };
  const { provider, model, region } = named;
  const credentials = provider === 'bedrock' ? awsCredentials(params) : keyOf(params['api_key'], isOpenAi ? null : known.keyVariable);
  return {
    prefix: provider,
    provider: {
      type,
      address,
      region: provider === 'bedrock' ? (regionOf(region) ?? settingOf(params['aws_region_name']) ?? { variable: 'AWS_REGION_NAME' }) : null,
      credentials,
    },
    model: modelTerms(type, model, params, info),
  };
}

function addressOf(provider: string, type: ProviderTerms['type'], given: Setting | null): Address | null {
  const { baseUrl, form } = KNOWN_PROVIDERS[provider]!;
  if (given !== null && (type !== 'openai' || !('text' in given))) return { setting: given, form };
  return baseUrl === null || type === 'openai' ? null : { setting: { text: baseUrl }, form: 'plain' };
}

const regionOf = (region: string | null): Setting | null => (region === null ? null : { text: region });

function keyOf(given: unknown, variable: string | null): ProviderTerms['credentials'] {
  const key = settingOf(given) ?? (variable === null ? null : { variable });
  // Servers without keys often have `none` here, which is sent like a key.
  return key === null ? {} : { api_key: key };
}

function awsCredentials(params: Deployment['params']): ProviderTerms['credentials'] {
  const key = settingOf(params['api_key']);
  if (key) return { api_key: key };
  return {
    access_key_id: settingOf(params['aws_access_key_id']) ?? { variable: 'AWS_ACCESS_KEY_ID' },
    secret_access_key: settingOf(params['aws_secret_access_key']) ?? { variable: 'AWS_SECRET_ACCESS_KEY' },
  };
}

/** LiteLLM's mode of a model, and the capability that keeps the model out of conversations. */
const MODES: Readonly<Record<string, string>> = {
  embedding: 'embedding',
  rerank: 'rerank',
  moderation: 'moderation',
  image_generation: 'image_generation',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
};
const ABILITIES = {
  supports_vision: 'vision',
  supports_pdf_input: 'documents',
  supports_reasoning: 'reasoning',
  supports_prompt_caching: 'prompt_caching',
  supports_function_calling: 'tools',
} as const;

function modelTerms(type: ProviderTerms['type'], model: string, params: Deployment['params'], info: Deployment['info']): ModelTerms {
  const base = textOf(info['base_model'])?.split('/').at(-1) ?? model;
  const known = BUILTIN_MODELS.find((each) => each.model === base && (each.provider === type || type === 'openai_compatible'));
  const mode = MODES[textOf(info['mode']) ?? ''];
  const abilities = Object.entries(ABILITIES).flatMap(([name, ability]) => (flagOf(info[name]) ? [ability] : []));
  const own = priceIn({ ...info, ...params });
  const latest = known?.prices.filter(({ from }) => Date.parse(from) <= Date.now()).at(-1);
  const builtIn = latest && {
    input: latest.input,
    output: latest.output,
    ...(latest.cache_read !== null && { cache_read: latest.cache_read }),
    ...(latest.cache_write !== null && { cache_write: latest.cache_write }),
  };
  return {
    model,
    context_window: wholeOf(info['max_input_tokens']) ?? wholeOf(info['max_tokens']) ?? known?.context_window ?? null,
    max_output_tokens: wholeOf(info['max_output_tokens']) ?? known?.max_output_tokens ?? null,
    capabilities: mode ? [mode] : [...new Set([...(known?.capabilities ?? []), ...abilities])],
    price: own ?? builtIn ?? null,
    isOwnPrice: own !== null,
  };
}

const MOST_TOKENS = 100_000_000;
function wholeOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number >= 1 && number <= MOST_TOKENS ? Math.floor(number) : null;
}

const PER_MILLION = 1_000_000;
const DECIMALS = 9;

function priceIn(fields: Deployment['params']): Price | null {
  const dollars = (name: string) => {
    const perToken = numberOf(fields[name]);
    return perToken === null || perToken < 0 ? null : Number((perToken * PER_MILLION).toFixed(DECIMALS));
  };
  const [input, output] = [dollars('input_cost_per_token'), dollars('output_cost_per_token')];
  if (input === null && output === null) return null;
  const [read, write] = [dollars('cache_read_input_token_cost'), dollars('cache_creation_input_token_cost')];
  return {
    input: input ?? 0,
    output: output ?? 0,
    ...(read !== null && { cache_read: read }),
    ...(write !== null && { cache_write: write }),
  };
}
