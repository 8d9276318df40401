import { describe, expect, it } from '@jest/globals';
import { NotDone } from '../../not-done.ts';
import { Report } from '../report.ts';
import { configIn } from '../source/config-file.ts';
import { priced } from '../source/price-list.ts';
import { cacheSeconds, cataloguePlan } from './catalogue-plan.ts';

const planOf = (yaml: string) => {
  const lines: string[] = [];
  const report = new Report((line) => void lines.push(line));
  const source = configIn(yaml);
  const plan = cataloguePlan(source, report);
  return { ...plan, source, report, lines: lines.map((line) => line.replaceAll(/ {2,}/g, ' ')) };
};

/** A configuration with every field that is taken over, and some that are not. */
const WHOLE = `
model_list:
  - model_name: fast
    litellm_params: { model: openai/gpt-x, api_key: os.environ/OPENAI_KEY, weight: 3, rpm: 100, tpm: 9000, timeout: 30 }
    model_info: { max_input_tokens: 128000, max_output_tokens: 16000, supports_vision: true, access_groups: [beta] }
  - model_name: fast
    litellm_params: { model: azure/deployed, api_base: os.environ/AZURE_BASE, api_key: os.environ/AZURE_KEY, api_version: 2025-01-01, weight: 1 }
  - model_name: careful
    litellm_params:
      model: anthropic/claude-x
      api_key: key-in-the-file
      input_cost_per_token: 0.000003
      output_cost_per_token: 1.5e-5
      cache_read_input_token_cost: 3.0e-7
      cache_creation_input_token_cost: 0.00000375
      input_cost_per_second: 1
  - model_name: vectors
    litellm_params: { model: hosted_vllm/embed, api_base: "http://models.example.org/v1/" }
    model_info: { mode: embedding }
  - model_name: cloud
    litellm_params: { model: bedrock/converse/amazon.nova, aws_region_name: us-east-1 }
router_settings:
  routing_strategy: latency-based-routing
  num_retries: 3
  fallbacks: [{ fast: [careful, gone] }]
  model_group_alias: { quick: fast, hidden: { model: careful, hidden: true }, lost: gone }
  cooldown_time: 9
litellm_settings: { cache: true, cache_params: { ttl: 600 }, callbacks: [langfuse] }
general_settings: { master_key: never-shown }
`;

describe('a configuration of LiteLLM', () => {
  it('becomes providers, which share a key and an address', () => {
    expect(planOf(WHOLE).providers).toEqual([
      { id: 'openai', type: 'openai', address: null, region: null, credentials: { api_key: { variable: 'OPENAI_KEY' } } },
      {
        id: 'azure',
        type: 'openai_compatible',
        address: { setting: { variable: 'AZURE_BASE' }, form: 'azure' },
        region: null,
        credentials: { api_key: { variable: 'AZURE_KEY' } },
      },
      { id: 'anthropic', type: 'anthropic', address: null, region: null, credentials: { api_key: { text: 'key-in-the-file' } } },
      {
        id: 'hosted-vllm',
        type: 'openai_compatible',
        address: { setting: { text: 'http://models.example.org/v1/' }, form: 'plain' },
        region: null,
        credentials: {},
      },
      {
        id: 'bedrock',
        type: 'bedrock',
        address: null,
        region: { text: 'us-east-1' },
        credentials: { access_key_id: { variable: 'AWS_ACCESS_KEY_ID' }, secret_access_key: { variable: 'AWS_SECRET_ACCESS_KEY' } },
      },
    ]);
  });
  it('becomes models with their limits, capabilities and prices for a million tokens', () => {
    const { models } = planOf(WHOLE);
    expect(models.map(({ id, provider, model }) => [id, provider, model])).toEqual([
      ['fast@openai', 'openai', 'gpt-x'],
      ['fast@azure', 'azure', 'deployed'],
      ['careful', 'anthropic', 'claude-x'],
      ['vectors', 'hosted-vllm', 'embed'],
      ['cloud', 'bedrock', 'amazon.nova'],
    ]);
    expect(models[0]).toMatchObject({ context_window: 128_000, max_output_tokens: 16_000, capabilities: ['vision'], price: null });
    expect(models[2]!.price).toEqual({ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 });
    expect(models[3]!.capabilities).toEqual(['embedding']);
  });
  it('becomes routes with weights, fallbacks, retries and aliases', () => {
    const { routes } = planOf(WHOLE);
    const targets = [
      { model: 'fast@openai', weight: 3 },
      { model: 'fast@azure', weight: 1 },
    ];
    expect(routes).toEqual([
      { id: 'fast', strategy: 'fastest', targets, fallbacks: ['careful'], retries: 3 },
      { id: 'quick', strategy: 'fastest', targets, fallbacks: ['careful'], retries: 3 },
      { id: 'hidden', strategy: 'fastest', targets: [{ model: 'careful', weight: 1 }], fallbacks: [], retries: 3 },
    ]);
  });
  it('is reported by name where it is not taken over, without its secrets', () => {
    const { lines } = planOf(WHOLE);
    const text = lines.join('\n');
    for (const left of [
      'in part model fast (entry 1) rpm:',
      'in part model fast (entry 1) timeout:',
      'in part model careful (entry 3) input_cost_per_second:',
      'in part route fast fallback gone:',
      'left out route lost It is an alias of gone',
      'left out setting router_settings.cooldown_time',
      'left out setting litellm_settings.callbacks',
      'left out setting general_settings',
    ])
      expect(text).toContain(left);
    for (const secret of ['key-in-the-file', 'never-shown']) expect(text).not.toContain(secret);
  });
  it('has its access groups and its cache', () => {
    const { accessGroups, source, report } = planOf(WHOLE);
    expect([...accessGroups]).toEqual([['beta', ['fast']]]);
    expect(cacheSeconds(source.settings, 3_600, report)).toBe(600);
    expect(cacheSeconds({ cache: true, cache_params: { ttl: 90_000 } }, 3_600, report)).toBe(3_600);
    expect(cacheSeconds({ cache: true, cache_params: { type: 'redis-semantic', ttl: 60 } }, 3_600, report)).toBe(0);
  });
  it('gives prices of the price list to models without a price of their own', () => {
    const list = {
      'gpt-x': { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6, max_input_tokens: 5 },
      'anthropic/claude-x': { input_cost_per_token: 9 },
    };
    const source = configIn(WHOLE);
    const { models } = cataloguePlan(
      { ...source, deployments: source.deployments.map((each) => priced(each, list)) },
      new Report(() => undefined),
    );
    expect(models[0]).toMatchObject({ price: { input: 1, output: 2 }, context_window: 128_000 });
    expect(models[2]!.price).toMatchObject({ input: 3 });
  });
});

describe('names of LiteLLM', () => {
  const model = (name: string, params: string) => `model_list: [{ model_name: "${name}", litellm_params: { ${params} } }]`;
  it.each([
    ['openai/*', 'model: openai/*', 'no wildcards'],
    ['a', 'model: vertex_ai/gemini', 'cannot call the provider vertex_ai'],
    ['a', 'model: constructor/a', 'cannot call the provider constructor'],
    ['a', 'model: something', 'No provider is known'],
    ['with space', 'model: openai/gpt-x', 'Names in Parlance have'],
    ['a', 'model: azure/deployed', 'needs an address'],
  ])('%s with %s is left out', (name, params, reason) => {
    const { models, lines } = planOf(model(name, params));
    expect(models).toEqual([]);
    expect(lines.join('\n')).toContain(reason);
  });
  it('with a wildcard still give the provider, for the models of the built-in catalogue', () => {
    expect(planOf(model('*', 'model: openai/*, api_key: os.environ/A')).providers).toMatchObject([{ id: 'openai' }]);
  });
  it('without a provider are known by their beginning', () => {
    expect(planOf(model('a', 'model: claude-x')).models).toMatchObject([{ provider: 'anthropic', model: 'claude-x' }]);
  });
  it('that are used twice are one target with both weights', () => {
    const entry = '{ model_name: a, litellm_params: { model: openai/gpt-x, rpm: 10 } }';
    expect(planOf(`model_list: [${entry}, ${entry}]`)).toMatchObject({ models: [{ id: 'a', provider: 'openai' }], routes: [] });
  });
  it('are left out with the weight 0', () => {
    const { routes, lines } = planOf(`model_list:
  - { model_name: a, litellm_params: { model: openai/x, weight: 0.5 } }
  - { model_name: a, litellm_params: { model: openai/y, weight: 0 } }
  - { model_name: a, litellm_params: { model: openai/z, weight: 0.25 } }`);
    expect(routes[0]!.targets).toEqual([
      { model: 'a@openai', weight: 2 },
      { model: 'a@openai-3', weight: 1 },
    ]);
    expect(lines.join('\n')).toContain('a@openai-2: It has the weight 0');
  });
});

describe('a file that is no configuration', () => {
  it.each([
    ['a: [', 'is not valid YAML: line 1'],
    ['- a', 'must be a map'],
    ['model_list: 7', 'model_list must be a list'],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(40)}]\nc: &c [${'*b,'.repeat(40)}]\nd: [${'*c,'.repeat(40)}]`, 'anchors'],
  ])('%# is refused', (yaml, message) => {
    expect(() => configIn(yaml)).toThrow(NotDone);
    expect(() => configIn(yaml)).toThrow(message);
  });
  it('is not quoted, because it may contain keys', () => {
    expect(() => configIn('api_key: "secret-value\n  b: c: d')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret-value') }),
    );
  });
  it('has entries that are left out by their position', () => {
    const { lines } = planOf('model_list: [7, { model_name: a }, { model_name: b, litellm_params: { model: 5 } }]');
    for (const position of [1, 2, 3]) expect(lines.join('\n')).toContain(`entry ${position} of model_list`);
  });
});
