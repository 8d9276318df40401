/** What a type of model providers needs and can do. */
interface Traits {
  /** Name in the semantic conventions of OpenTelemetry. Null: each provider is named as in the catalogue. */
  readonly telemetryName: string | null;
  /** The keys that an embedding model of the provider needs. Null: the provider has no embedding models. */
  readonly embeddingNeeds: readonly ('api_key' | 'base_url' | 'region')[] | null;
  /** Whether its models count tokens by a tokenizer that is not public. */
  readonly hasOwnTokenizer: boolean;
  /** Whether tools can be offered to all its chat models. Otherwise to those with the capability `tools`: servers refuse requests with tools for others. */
  readonly acceptsTools: boolean;
}

/** The types of model providers. How a type is called is in `open-chat-model.ts` of chat-models, and in `embedding-models.ts` of retrieval. */
export const PROVIDER_TYPES = {
  bedrock: { telemetryName: 'aws.bedrock', embeddingNeeds: ['region'], hasOwnTokenizer: true, acceptsTools: false },
  anthropic: { telemetryName: 'anthropic', embeddingNeeds: null, hasOwnTokenizer: true, acceptsTools: true },
  openai: { telemetryName: 'openai', embeddingNeeds: ['api_key'], hasOwnTokenizer: false, acceptsTools: true },
  openai_compatible: { telemetryName: null, embeddingNeeds: ['base_url'], hasOwnTokenizer: false, acceptsTools: false },
  local: { telemetryName: null, embeddingNeeds: [], hasOwnTokenizer: false, acceptsTools: true },
} as const satisfies Readonly<Record<string, Traits>>;

export type ProviderType = keyof typeof PROVIDER_TYPES;
