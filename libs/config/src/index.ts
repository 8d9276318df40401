export { BUILTIN_MODELS } from './builtin-models.ts';
export { ConfigError } from './loading/config-error.ts';
export { Config, type LogLevel } from './config.ts';
export type { ObjectStoreConfig } from './keys/object-store.ts';
export { describeConfig, effectiveConfig } from './describe-config.ts';
export {
  CLOCK_MARGIN_MILLIS,
  CONTROLS,
  FORMATS,
  GROUP_NAME,
  hasAddressCharacters,
  IGNORABLES,
  isAddress,
  isGroupName,
  isNewPassword,
  LONGEST_ADDRESS,
  LONGEST_PASSWORD,
  LONGEST_TOKEN_MINUTES,
  SHORTEST_PASSWORD,
} from './limits.ts';
export { KnowledgeS3Config, RerankerConfig, RetrieverConfig } from './knowledge-sources.ts';
export type { KafkaSecurity } from './keys/kafka-security.ts';
export { baseUrl, loadConfig } from './loading/load-config.ts';
export { GuardrailPolicy } from './guardrail-policies.ts';
export { InternetSearchConfig } from './internet-search.ts';
export { McpServerConfig, mcpToolName } from './mcp-servers.ts';
export {
  type GuardrailPrice,
  type RerankingPrice,
  ModelCatalogue,
  type ModelEntry,
  type ModelProvider,
  type WholeCatalogue,
  wholeCatalogue,
} from './model-catalogue.ts';
export { ModelRoute, ROUTE_STRATEGIES, RouteTarget, type RouteStrategy } from './model-routes.ts';
export { OidcProvider } from './oidc-provider.ts';
export { processConfig } from './process-config.ts';
export { PROVIDER_TYPES, type ProviderType } from './provider-types.ts';
export { addressesOf, modelName } from './rules.ts';
