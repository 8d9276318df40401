/** Why settings of a deployment are not taken over. */
const DEPLOYMENT: Readonly<Record<string, string>> = {
  rpm: 'Parlance limits tokens of callers, not deployments. It obeys the limits that providers report.',
  tpm: 'Parlance limits tokens of callers, not deployments. It obeys the limits that providers report.',
  max_parallel_requests: 'Set max_concurrent_calls of the provider.',
  timeout: 'Set first_token_timeout_seconds of the provider, or timeout_seconds of a route.',
  stream_timeout: 'Set first_token_timeout_seconds of the provider, or timeout_seconds of a route.',
  max_retries: 'Set retries of a route.',
  num_retries: 'Set retries of a route.',
  tags: 'Parlance does not choose models by tags.',
  order: 'Put deployments that come later into the fallbacks of the route.',
  api_version: "Azure's v1 API is called, which has no versions. Check the model.",
  organization: 'Parlance does not send an organization.',
  aws_role_name: 'Parlance uses keys, and does not assume roles.',
  aws_session_name: 'Parlance uses keys, and does not assume roles.',
  aws_profile_name: 'Parlance uses keys, and reads no profiles.',
  aws_session_token: 'Parlance uses keys that stay valid.',
  extra_headers: 'Parlance sends no headers of its own to providers.',
};
const OTHER = 'Parlance has no such setting. Programs send it with each call.';

const TAKEN = new Set([
  'model',
  'custom_llm_provider',
  'api_base',
  'base_url',
  'api_key',
  'aws_region_name',
  'aws_access_key_id',
  'aws_secret_access_key',
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'weight',
  // Parlance passes on fields that it does not know.
  'drop_params',
  'use_in_pass_through',
]);

export interface LeftOut {
  readonly setting: string;
  readonly reason: string;
}

export const leftOutOfDeployment = (params: object): readonly LeftOut[] =>
  Object.keys(params)
    .filter((name) => !TAKEN.has(name))
    .map((setting) => ({
      setting,
      reason: DEPLOYMENT[setting] ?? (/cost/.test(setting) ? 'Parlance has no such price. Prices are per token.' : OTHER),
    }));

/** Settings of `router_settings` and `litellm_settings` that are taken over elsewhere. */
const TAKEN_SETTINGS = new Set([
  'routing_strategy',
  'fallbacks',
  'default_fallbacks',
  'model_group_alias',
  'num_retries',
  'cache',
  'cache_params',
  'max_budget',
  'budget_duration',
  'drop_params',
  'set_verbose',
  'json_logs',
]);

const SETTINGS: Readonly<Record<string, string>> = {
  context_window_fallbacks: 'Parlance does not choose a model by the size of a request. Use fallbacks.',
  content_policy_fallbacks: 'A refusal by a provider is not repeated. Use fallbacks for other failures.',
  allowed_fails: 'The pause of a failing model cannot be configured.',
  allowed_fails_policy: 'The pause of a failing model cannot be configured.',
  cooldown_time: 'The pause of a failing model cannot be configured.',
  retry_policy: 'A route has one number of retries for all failures.',
  timeout: 'Set timeout_seconds of routes.',
  request_timeout: 'Set timeout_seconds of routes.',
  success_callback: 'Use metrics, traces, webhooks or the list of calls.',
  failure_callback: 'Use metrics, traces, webhooks or the list of calls.',
  callbacks: 'Use metrics, traces, webhooks or the list of calls.',
  service_callbacks: 'Use metrics and traces.',
  guardrails: 'Set guardrails in the configuration of Parlance.',
  redis_host: 'Parlance needs no Redis.',
  redis_port: 'Parlance needs no Redis.',
  redis_password: 'Parlance needs no Redis.',
  redis_url: 'Parlance needs no Redis.',
  enable_pre_call_checks: 'Parlance checks the limits of a model at the provider.',
  enable_tag_filtering: 'Parlance does not choose models by tags.',
  provider_budget_config: 'Parlance has no budgets of providers. Use budgets of cost centres, or of the installation.',
  default_team_settings: 'Parlance has no defaults of teams.',
};

export const leftOutOfSettings = (settings: object): readonly LeftOut[] =>
  Object.keys(settings)
    .filter((name) => !TAKEN_SETTINGS.has(name))
    .map((setting) => ({ setting, reason: SETTINGS[setting] ?? 'Parlance has no such setting.' }));

const PARTS: Readonly<Record<string, string>> = {
  general_settings: 'The master key, the database and the alerts of LiteLLM have no use in Parlance.',
  guardrails: 'Set guardrails in the configuration of Parlance.',
  mcp_servers: 'Set MCP servers in the configuration of Parlance.',
  include: 'Included files are not read. Put them into one file.',
  vector_store_registry: 'Use the knowledge of bots.',
};

export const reasonOfPart = (name: string): string => PARTS[name] ?? 'Parlance has no such part.';
