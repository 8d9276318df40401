import { IsOptional } from 'class-validator';
import { Key } from './fields.ts';
import { BUILTIN_GUARDRAILS, BUILTIN_MODELS, BUILTIN_PROVIDERS } from './builtin-models.ts';
import { embeddingObjection, type Objection } from './embedding-model.ts';
import { ModelRoute, routeObjection } from './model-routes.ts';
import { PROVIDER_TYPES, type ProviderType } from './provider-types.ts';
import { Dollars, ListOf, modelName, ModelName, Nested, OneOf, Region, Text, Timestamp, WebAddress, Whole } from './rules.ts';

export class ModelProvider {
  @Key('API of the provider.')
  @OneOf(...Object.keys(PROVIDER_TYPES))
  readonly type!: ProviderType;
  @Key('Base URL, if not the default one.') @IsOptional() @WebAddress() readonly base_url: string | null = null;
  @Key('API key.', { secret: true }) @IsOptional() @Text('a key', /^[!-~]{1,1000}$/) readonly api_key: string | null = null;
  @Key('AWS region of bedrock.') @IsOptional() @Region() readonly region: string | null = null;
  @Key('AWS access key ID of bedrock, if there is no API key.')
  @IsOptional()
  @Text('an access key id', /^[!-~]{1,256}$/)
  readonly access_key_id: string | null = null;
  @Key('AWS secret key of bedrock.', { secret: true })
  @IsOptional()
  @Text('an access key', /^[!-~]{1,1024}$/)
  readonly secret_access_key: string | null = null;
  @Key('Maximum number of simultaneous calls by one process. Further replies wait; users take turns.')
  @Whole(1, 100_000)
  readonly max_concurrent_calls: number = 1_000;
  @Key('Time limit for a call of a program (`/v1/…`) to wait while `max_concurrent_calls` are made, in seconds.')
  @Whole(1, 3_600)
  readonly queue_timeout_seconds: number = 30;
  @Key('Time limit for the first token of an answer, in seconds.') @Whole(1, 3_600) readonly first_token_timeout_seconds: number = 120;
  @Key('Time limit from one token to the next, in seconds.') @Whole(1, 3_600) readonly token_timeout_seconds: number = 60;
}

/** Prices in dollars per million tokens, valid from a moment on. */
export class ModelPrice {
  @Key('Start of validity of the price.') @Timestamp() readonly from!: string;
  @Key('Price of input tokens.') @Dollars() readonly input!: number;
  @Key('Price of output tokens. 0 for an embedding model.') @Dollars() readonly output!: number;
  @Key('Price of tokens read from the provider’s cache.') @IsOptional() @Dollars() readonly cache_read: number | null = null;
  @Key('Price of tokens written to the provider’s cache, for five minutes where the provider has more than one lifetime.')
  @IsOptional()
  @Dollars()
  readonly cache_write: number | null = null;
  @Key('Price of tokens that the provider’s cache keeps for an hour. Default: `cache_write`.')
  @IsOptional()
  @Dollars()
  readonly cache_write_1h: number | null = null;
  @Key('Price of 1,000 searches of the web by the provider, where it reports them. Default: they are not charged, but marked.')
  @IsOptional()
  @Dollars()
  readonly web_search: number | null = null;
}

export class ModelEntry {
  @Key('Model ID in Parlance.') @ModelName() readonly id!: string;
  @Key('Name of the provider, as in `providers`.') @ModelName() readonly provider!: string;
  @Key('Model name at the provider.') @ModelName() readonly model!: string;
  @Key('Display name. Default: the model ID.') @IsOptional() @Text('1 to 100 characters', /^.{1,100}$/su) readonly name: string | null =
    null;
  @Key('Prices by date.') @Nested(ModelPrice, 'list') readonly prices: readonly ModelPrice[] = [];
  @Key('Context window in tokens.') @Whole(1, 100_000_000) readonly context_window: number = 8_192;
  @Key('Maximum number of output tokens.') @IsOptional() @Whole(1, 100_000_000) readonly max_output_tokens: number | null = null;
  @Key('Capabilities of the model.') @ListOf('words', (word) => /^[a-z][a-z_]{0,39}$/.test(word)) readonly capabilities: readonly string[] =
    [];
  @Key('Models to use if this one fails, in order.')
  @ListOf('model ids', (id) => modelName.test(id))
  readonly fallbacks: readonly string[] = [];
}

export class ModelDefaults {
  @Key('Model for chat if the request names none.') @IsOptional() @ModelName() readonly chat: string | null = null;
  @Key('Model that proposes titles.') @IsOptional() @ModelName() readonly title: string | null = null;
  @Key('Model for embeddings of knowledge. Without one, search is lexical.') @IsOptional() @ModelName() readonly embedding: string | null =
    null;
  @Key('Model that reads replies aloud in the console. Default: the first model with the capability `speech`.')
  @IsOptional()
  @ModelName()
  readonly speech: string | null = null;
  @Key('Model that writes down what users dictate in the console. Default: the first model with the capability `transcription`.')
  @IsOptional()
  @ModelName()
  readonly transcription: string | null = null;
  @Key('Model that makes the images of the tool `create_image`. Default: the first model with the capability `image_generation`.')
  @IsOptional()
  @ModelName()
  readonly image: string | null = null;
  @Key('Voice that reads replies aloud, by its name at the provider.')
  @Text('1 to 100 characters', /^.{1,100}$/su)
  readonly voice: string = 'alloy';
}

/** Prices in dollars per 1,000 text units of an Amazon Bedrock guardrail, valid from a moment on. Policies without a price are free. */
export class GuardrailPrice {
  @Key('Start of validity of the prices.') @Timestamp() readonly from!: string;
  @Key('Price of content filters.') @Dollars() readonly content: number = 0;
  @Key('Price of denied topics.') @Dollars() readonly topic: number = 0;
  @Key('Price of filters of sensitive information.') @Dollars() readonly sensitive_information: number = 0;
  @Key('Price of contextual grounding checks.') @Dollars() readonly contextual_grounding: number = 0;
  @Key('Price of automated reasoning checks.') @Dollars() readonly automated_reasoning: number = 0;
}

export class GuardrailPrices {
  @Key('Prices of guardrails of Amazon Bedrock by date, in dollars per 1,000 text units.')
  @Nested(GuardrailPrice, 'list')
  readonly prices: readonly GuardrailPrice[] = [];
}

/** Prices in dollars, valid from a moment on. */
export class RerankingPrice {
  @Key('Start of validity of the prices.') @Timestamp() readonly from!: string;
  @Key('Price of 1,000 searches, for providers that bill by search (Cohere, Amazon Bedrock).') @Dollars() readonly searches: number = 0;
  @Key('Price of a million tokens, for providers that bill by token.') @Dollars() readonly tokens: number = 0;
}

export class RerankingPrices {
  @Key('Prices of the reranker (key `reranker`) by date. Without one it is free.')
  @Nested(RerankingPrice, 'list')
  readonly prices: readonly RerankingPrice[] = [];
}

/** The available models: `models` of the configuration. */
export class ModelCatalogue {
  @Key('Catalogue to extend. `builtin` extends the built-in catalogue instead of replacing it.')
  @IsOptional()
  @OneOf('builtin')
  readonly extends: 'builtin' | null = null;
  @Key('Providers by name.') @Nested(ModelProvider, 'map') readonly providers: Readonly<Record<string, ModelProvider>> = {};
  @Key('Models.') @Nested(ModelEntry, 'list') readonly models: readonly ModelEntry[] = [];
  @Key('Names that stand for several models, for calls of programs.')
  @Nested(ModelRoute, 'list')
  readonly routes: readonly ModelRoute[] = [];
  @Key('Default models by task.') @Nested(ModelDefaults) readonly defaults: ModelDefaults = new ModelDefaults();
  @Key('Guardrails of Amazon Bedrock.') @Nested(GuardrailPrices) readonly guardrails: GuardrailPrices = new GuardrailPrices();
  @Key('Prices of the reranker.') @Nested(RerankingPrices) readonly reranking: RerankingPrices = new RerankingPrices();
}

/** A catalogue merged with the catalogue that it extends. */
export type WholeCatalogue = Pick<ModelCatalogue, 'providers' | 'models' | 'routes' | 'defaults' | 'guardrails' | 'reranking'>;

/** The effective catalogue. A configured provider or model replaces the built-in one of the same name, and precedes the others. */
export function wholeCatalogue(configured: ModelCatalogue | null): WholeCatalogue {
  if (configured === null)
    return {
      providers: BUILTIN_PROVIDERS,
      models: BUILTIN_MODELS,
      routes: [],
      defaults: new ModelDefaults(),
      guardrails: BUILTIN_GUARDRAILS,
      reranking: new RerankingPrices(),
    };
  if (configured.extends !== 'builtin') return configured;
  const ids = new Set(configured.models.map(({ id }) => id));
  return {
    providers: { ...BUILTIN_PROVIDERS, ...configured.providers },
    models: [...configured.models, ...BUILTIN_MODELS.filter(({ id }) => !ids.has(id))],
    routes: configured.routes,
    defaults: configured.defaults,
    guardrails: configured.guardrails.prices.length > 0 ? configured.guardrails : BUILTIN_GUARDRAILS,
    reranking: configured.reranking,
  };
}

/** What the default models of some uses must be able to do. */
const CAPABILITIES: Readonly<Record<string, string>> = { speech: 'speech', transcription: 'transcription', image: 'image_generation' };

/** An error for a reference to a provider or model that the catalogue does not contain, or for a default embedding model that cannot create embeddings. */
export function danglingReference(catalogue: ModelCatalogue): Objection | null {
  const own = catalogue.models.map((model) => model.id);
  const twice = own.find((id, index) => own.indexOf(id) !== index);
  if (twice !== undefined) return { path: 'models.models', value: twice, allowed: 'a list with each id once' };

  const whole = wholeCatalogue(catalogue);
  const ids = whole.models.map((model) => model.id);
  const providers = Object.keys(whole.providers);
  for (const [index, model] of catalogue.models.entries()) {
    const path = `models.models.${index}`;
    if (!providers.includes(model.provider))
      return { path: `${path}.provider`, value: model.provider, allowed: `one of the providers: ${providers.join(', ')}` };
    const lost = model.fallbacks.find((id) => !ids.includes(id));
    if (lost !== undefined) return { path: `${path}.fallbacks`, value: lost, allowed: `ids of the catalogue: ${ids.join(', ')}` };
  }
  const { voice: _, ...defaults } = catalogue.defaults;
  for (const [use, id] of Object.entries(defaults)) {
    if (id === null) continue;
    const model = whole.models.find((each) => each.id === id);
    if (!model) return { path: `models.defaults.${use}`, value: id, allowed: `an id of the catalogue: ${ids.join(', ')}` };
    const needed = CAPABILITIES[use];
    if (needed !== undefined && !model.capabilities.includes(needed))
      return { path: `models.defaults.${use}`, value: id, allowed: `a model with the capability ${needed}` };
  }
  return routeObjection(whole) ?? embeddingObjection(whole);
}
