import { afterAll, describe, expect, it } from '@jest/globals';
import { base, chunking, guardrails, params } from './bot-bodies.ts';
import { BotsUnderTest } from './bots-under-test.ts';

const bots = await BotsUnderTest.start({ PARLANCE_RETRIEVERS: JSON.stringify({ kb: { type: 'http', url: 'http://127.0.0.1:1/' } }) });
const { id } = await bots.create('ann');
afterAll(() => bots.stop());

const create = (body: object) => bots.ask('POST', '/bot', bots.creator('ann'), { title: 'Guide', ...body });
const change = (body: object) => bots.ask('PATCH', `/bot/${id}`, bots.creator('ann'), body);

describe('settings are returned with all of their parts', () => {
  const fixed = (max_tokens: number, overlap_percentage: number) => ({
    chunking_strategy: 'fixed_size',
    fixed_size_chunking_configuration: { max_tokens, overlap_percentage },
  });
  const semantic = (max_tokens: number, buffer_size: number, breakpoint_percentile_threshold: number) => ({
    chunking_strategy: 'semantic',
    semantic_chunking_configuration: { max_tokens, buffer_size, breakpoint_percentile_threshold },
  });
  const hierarchical = (parent: number, child: number, overlap_tokens: number) => ({
    chunking_strategy: 'hierarchical',
    hierarchical_chunking_configuration: { level_configurations: [{ max_tokens: parent }, { max_tokens: child }], overlap_tokens },
  });
  it.each([
    ['no strategy', {}, fixed(300, 20)],
    ['fixed_size, flat', { chunking_strategy: 'fixed_size', max_tokens: 500 }, fixed(500, 20)],
    [
      'fixed_size, nested',
      { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { overlap_percentage: 5 } },
      fixed(300, 5),
    ],
    ['none', { chunking_strategy: 'none' }, { chunking_strategy: 'none' }],
    ['semantic, defaults', { chunking_strategy: 'semantic' }, semantic(300, 0, 95)],
    ['semantic, flat', { chunking_strategy: 'semantic', buffer_size: 1, breakpoint_percentile_threshold: 60 }, semantic(300, 1, 60)],
    ['semantic, nested', { chunking_strategy: 'semantic', semantic_chunking_configuration: { max_tokens: 100 } }, semantic(100, 0, 95)],
    ['hierarchical, defaults', { chunking_strategy: 'hierarchical' }, hierarchical(1_500, 300, 60)],
    [
      'hierarchical, flat',
      { chunking_strategy: 'hierarchical', max_parent_token_size: 800, max_child_token_size: 50 },
      hierarchical(800, 50, 49),
    ],
    ['hierarchical, nested', hierarchical(900, 200, 10), hierarchical(900, 200, 10)],
  ])('chunking: %s', async (_, given, expected) => {
    const { body } = await create(chunking(given));
    expect(body.bedrock_knowledge_base.chunking_configuration).toEqual(expected);
  });
  it.each([
    ['web_crawling_filters', { include_patterns: ['/docs/*'] }, { include_patterns: ['/docs/*'], exclude_patterns: [] }],
    ['web_crawling_filters', { exclude_patterns: ['/docs/*'] }, { include_patterns: [], exclude_patterns: ['/docs/*'] }],
    ['web_crawling_limits', { max_depth: 1 }, { max_depth: 1, max_pages: 200 }],
    ['web_crawling_limits', { max_pages: 7 }, { max_depth: 3, max_pages: 7 }],
    ['search_params', { search_type: 'lexical' }, { max_results: 5, search_type: 'lexical' }],
  ])('%s: %j', async (name, given, expected) => {
    const { body } = await create(base({ [name]: given }));
    expect(body.bedrock_knowledge_base[name]).toEqual(expected);
  });
  it('an imported knowledge base has the type null', async () => {
    const { body } = await create(base({ exist_knowledge_base_id: 'kb' }));
    expect(body.bedrock_knowledge_base).toMatchObject({ type: null, exist_knowledge_base_id: 'kb' });
  });
  it('absent parts have their defaults', async () => {
    const { body } = await create({ ...params({ top_k: 3 }), ...guardrails({ is_guardrail_enabled: true }), tools: [{ name: 'a' }] });
    expect(body.generation_params).toEqual({
      max_tokens: null,
      top_k: 3,
      top_p: null,
      temperature: null,
      stop_sequences: [],
      reasoning_budget_tokens: null,
    });
    expect(body.bedrock_guardrails).toMatchObject({ is_guardrail_enabled: true, guardrail_arn: '', grounding_threshold: 0 });
    expect(body.tools).toEqual([{ name: 'a', approval: 'writes' }]);
  });
  it('quick starters keep their order', async () => {
    const conversation_quick_starters = [
      { title: 'b', example: 'How far is it?' },
      { title: 'a', example: 'Which way?' },
    ];
    expect((await create({ conversation_quick_starters })).body.conversation_quick_starters).toEqual(conversation_quick_starters);
  });
  it('a default model can be removed again', async () => {
    expect((await change({ active_models: [], default_model: 'm' })).body.default_model).toBe('m');
    expect((await change({ description: 'y' })).body.default_model).toBe('m');
    expect((await change({ default_model: null })).body.default_model).toBe(null);
  });
  it('active models without the current default model are refused', async () => {
    await change({ active_models: [], default_model: 'm' });
    expect((await change({ active_models: ['n'] })).body.errors[0].path).toBe('default_model');
    expect((await change({ active_models: ['n'], default_model: null })).status).toBe(200);
  });
  it('the answer to a read can be written back unchanged', async () => {
    const { body } = await create({ ...base({ exist_knowledge_base_id: 'kb' }), ...params({ top_k: 3 }), tools: [{ name: 'a' }] });
    const { title, description, instruction, knowledge, conversation_quick_starters, active_models, default_model, tools } = body;
    const { bedrock_knowledge_base, bedrock_guardrails, generation_params, display_retrieved_chunks, prompt_caching_enabled } = body;
    const texts = { title, description, instruction, knowledge, conversation_quick_starters, active_models, default_model, tools };
    const settings = { bedrock_knowledge_base, bedrock_guardrails, generation_params, display_retrieved_chunks, prompt_caching_enabled };
    const repeated = await bots.ask('PATCH', `/bot/${body.id}`, bots.creator('ann'), { ...texts, ...settings });
    expect([repeated.status, repeated.body]).toEqual([200, body]);
  });
});
