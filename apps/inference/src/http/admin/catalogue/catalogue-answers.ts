import { PROVIDER_TYPES, type ProviderType, ROUTE_STRATEGIES } from '@parlance/config';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { CHECK_FAILURES } from '../../../workflows/checks/check-failures.ts';

export const SOURCES = ['configuration', 'built_in', 'managed'] as const;

/** Where a part of the catalogue comes from, for its answer. */
export const origin = {
  source: z
    .enum(SOURCES)
    .describe('`configuration`: of the installation. `built_in`: known without a configuration. `managed`: added by an administrator.'),
  read_only: z.boolean().describe('Whether it can only be changed in the configuration. False if an administrator has added it.'),
  etag: z.string().nullable().describe('For `If-Match`. It changes with each change. Null if it is read-only.'),
};

export const CheckAnswer = z.object({
  ok: z.boolean().describe('Whether the model or the provider answered.'),
  latency_ms: z.int().nonnegative().nullable().describe('Time until the answer ended or failed. Null if the provider was not called.'),
  error: z
    .object({ code: z.enum(CHECK_FAILURES), message: z.string().describe('The reason, and what to change.') })
    .nullable()
    .describe('Null if the model or the provider answered.'),
});

export const ProviderAnswer = z.object({
  id: z.string(),
  type: z.enum(Object.keys(PROVIDER_TYPES) as [ProviderType, ...ProviderType[]]).describe('API of the provider.'),
  base_url: z.string().nullable().describe('Null for the default address of the type.'),
  region: z.string().nullable().describe('AWS region of bedrock.'),
  has_api_key: z.boolean().describe('Whether an API key is stored. It is never shown.'),
  has_access_key: z.boolean().describe('Whether an AWS access key is stored. It is never shown.'),
  available: z.boolean().describe('Whether it has the credentials that it needs.'),
  models: z.int().describe('Models of the catalogue that it has.'),
  breaker: z
    .object({
      state: z
        .enum(['closed', 'open', 'half_open'])
        .describe(
          '`closed`: it is called. `open`: its models fail or fall back at once. `half_open`: one call tries whether it works again.',
        ),
      since: z.int().nullable().describe('When calls began to be stopped, in epoch seconds. Null while the breaker is closed.'),
    })
    .nullable()
    .describe(
      'Circuit breaker of the server process that answers. Each process has its own. Null for a provider that is not called over a network.',
    ),
  max_concurrent_calls: z.int(),
  queue_timeout_seconds: z.int(),
  first_token_timeout_seconds: z.int(),
  token_timeout_seconds: z.int(),
  ...origin,
});
export type ProviderAnswer = z.infer<typeof ProviderAnswer>;
export const ProvidersAnswer = z.object({
  providers: z.array(ProviderAnswer),
  next_token: z.null().describe('Always null: one page has all providers.'),
});

const amount = z.number().describe('US dollars per million tokens.');
const SuggestedModel = z.object({
  id: z.string(),
  name: z.string().nullable(),
  context_window: z.int(),
  max_output_tokens: z.int().nullable(),
  capabilities: z.array(z.string()),
  prices: z.array(
    z.object({
      from: z.string(),
      input: amount,
      output: amount,
      cache_read: amount.nullable(),
      cache_write: amount.nullable(),
      cache_write_1h: amount.nullable(),
      web_search: z.number().nullable().describe('US dollars for 1,000 searches of the web.'),
    }),
  ),
});
export const AvailableModelsAnswer = z.object({
  models: z.array(
    z.object({
      model: z.string().describe('Name of the model at the provider.'),
      name: z.string().nullable().describe('Display name, where the provider has one.'),
      context_window: z.int().nullable().describe('Tokens of a prompt and its answer, where the provider says so.'),
      model_ids: z.array(z.string()).describe('IDs of the models of the catalogue that are this model.'),
      suggestion: SuggestedModel.nullable().describe(
        'What the built-in catalogue knows of it, with list prices. Null for an unknown model.',
      ),
    }),
  ),
  complete: z.boolean().describe('False if the provider has more models than are listed.'),
});

export const RouteAnswer = z.object({
  id: z.string(),
  strategy: z.enum(ROUTE_STRATEGIES).describe('Which target is called first.'),
  targets: z.array(z.object({ model: z.string(), weight: z.int() })),
  fallbacks: z.array(z.string()).describe('Models to call when the targets have failed, in order.'),
  retries: z.int().describe('How many more times targets are called when a call fails before the first byte of its answer.'),
  timeout_seconds: z.int().nullable().describe('Time limit for the first byte of an answer. Null for the limit of the provider.'),
  paused: z
    .array(z.string())
    .describe(
      'Targets and fallbacks that the server process that answers does not call at the moment: after failures, at a limit of the provider, or because the breaker of the provider is open.',
    ),
  ...origin,
});
export type RouteAnswer = z.infer<typeof RouteAnswer>;
export const RoutesAnswer = z.object({
  routes: z.array(RouteAnswer),
  next_token: z.null().describe('Always null: one page has all routes.'),
});

nameSchemas({
  ModelCheck: CheckAnswer,
  ModelProvider: ProviderAnswer,
  ModelProviders: ProvidersAnswer,
  AvailableModels: AvailableModelsAnswer,
  ModelRoute: RouteAnswer,
  ModelRoutes: RoutesAnswer,
});
