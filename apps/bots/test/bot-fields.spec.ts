import { afterAll, describe, expect, it } from '@jest/globals';
import { base, chunking, guardrails, params } from './bot-bodies.ts';
import { BotsUnderTest } from './bots-under-test.ts';

const bots = await BotsUnderTest.start({ PARLANCE_RETRIEVERS: JSON.stringify({ kb: { type: 'http', url: 'http://127.0.0.1:1/' } }) });
const { id } = await bots.create('ann');
afterAll(() => bots.stop());

const create = (body: object) => bots.ask('POST', '/bot', bots.creator('ann'), { title: 'Guide', ...body });
const change = (body: object) => bots.ask('PATCH', `/bot/${id}`, bots.creator('ann'), body);
const many = (length: number, make: (nth: number) => unknown = (index) => `m${index}`) => Array.from({ length }, (_, index) => make(index));
const starter = (title: string, example: string) => ({ conversation_quick_starters: [{ title, example }] });
const CHUNKING = 'bedrock_knowledge_base.chunking_configuration';

/** Bodies at a limit, and bodies just over the limit with the field that the refusal names. */
const LIMITS: readonly (readonly [string, object, object, string])[] = [
  ['title, not only white space', { title: ' x ' }, { title: ' \n' }, 'title'],
  ['title, minimum length', { title: 'x' }, { title: '' }, 'title'],
  ['title, maximum length', { title: 'x'.repeat(100) }, { title: 'x'.repeat(101) }, 'title'],
  ['title length in characters, not in UTF-16 units', { title: '🧭'.repeat(100) }, { title: '🧭'.repeat(101) }, 'title'],
  ['description', { description: 'x'.repeat(1_000) }, { description: 'x'.repeat(1_001) }, 'description'],
  ['instruction', { instruction: 'x'.repeat(100_000) }, { instruction: 'x'.repeat(100_001) }, 'instruction'],
  [
    'quick starters',
    { conversation_quick_starters: many(20, () => ({ title: 'a', example: 'b' })) },
    { conversation_quick_starters: many(21, () => ({ title: 'a', example: 'b' })) },
    'conversation_quick_starters',
  ],
  ['title of a quick starter', starter('x'.repeat(100), 'b'), starter('x'.repeat(101), 'b'), 'conversation_quick_starters[0].title'],
  [
    'example of a quick starter',
    starter('a', 'x'.repeat(4_000)),
    starter('a', 'x'.repeat(4_001)),
    'conversation_quick_starters[0].example',
  ],
  ['empty example of a quick starter', starter('a', 'b'), starter('a', ''), 'conversation_quick_starters[0].example'],
  ['max_tokens, minimum', params({ max_tokens: 1 }), params({ max_tokens: 0 }), 'generation_params.max_tokens'],
  ['max_tokens, maximum', params({ max_tokens: 1_000_000 }), params({ max_tokens: 1_000_001 }), 'generation_params.max_tokens'],
  ['max_tokens, whole number', params({ max_tokens: 2 }), params({ max_tokens: 1.5 }), 'generation_params.max_tokens'],
  ['top_k', params({ top_k: 1_000 }), params({ top_k: 1_001 }), 'generation_params.top_k'],
  ['top_p', params({ top_p: 1 }), params({ top_p: 1.01 }), 'generation_params.top_p'],
  ['temperature', params({ temperature: 2 }), params({ temperature: 2.01 }), 'generation_params.temperature'],
  ['stop sequences', params({ stop_sequences: many(10) }), params({ stop_sequences: many(11) }), 'generation_params.stop_sequences'],
  [
    'a stop sequence',
    params({ stop_sequences: ['x'.repeat(100)] }),
    params({ stop_sequences: ['x'.repeat(101)] }),
    'generation_params.stop_sequences',
  ],
  [
    'reasoning budget',
    params({ reasoning_budget_tokens: 0 }),
    params({ reasoning_budget_tokens: -1 }),
    'generation_params.reasoning_budget_tokens',
  ],
  [
    'grounding threshold',
    guardrails({ grounding_threshold: 1 }),
    guardrails({ grounding_threshold: 1.1 }),
    'bedrock_guardrails.grounding_threshold',
  ],
  [
    'relevance threshold',
    guardrails({ relevance_threshold: 0 }),
    guardrails({ relevance_threshold: -0.1 }),
    'bedrock_guardrails.relevance_threshold',
  ],
  ['blocked text', { guardrail_blocked_text: 'x'.repeat(2_000) }, { guardrail_blocked_text: 'x'.repeat(2_001) }, 'guardrail_blocked_text'],
  ['active models', { active_models: many(100) }, { active_models: many(101) }, 'active_models'],
  ['active models, each once', { active_models: ['a', 'b'] }, { active_models: ['a', 'a'] }, 'active_models'],
  ['default model', { default_model: 'x'.repeat(200) }, { default_model: 'x'.repeat(201) }, 'default_model'],
  [
    'default model among the active models',
    { active_models: ['a', 'b'], default_model: 'b' },
    { active_models: ['a', 'b'], default_model: 'c' },
    'default_model',
  ],
  ['tools', { tools: many(50, (index) => ({ name: `t${index}` })) }, { tools: many(51, (index) => ({ name: `t${index}` })) }, 'tools'],
  ['tools, each once', { tools: [{ name: 'a' }, { name: 'b' }] }, { tools: [{ name: 'a' }, { name: 'a' }] }, 'tools'],
  ['name of a tool', { tools: [{ name: 'read_file-2' }] }, { tools: [{ name: '2nd' }] }, 'tools[0].name'],
  ['name of all tools of a server', { tools: [{ name: 'my-docs__*' }] }, { tools: [{ name: '__*' }] }, 'tools[0].name'],
  ['star in the name of a tool', { tools: [{ name: 'docs__all' }] }, { tools: [{ name: 'docs_*' }] }, 'tools[0].name'],
  ['length of the name of a tool', { tools: [{ name: 'a'.repeat(64) }] }, { tools: [{ name: 'a'.repeat(65) }] }, 'tools[0].name'],
  ['approval of a tool', { tools: [{ name: 'a', approval: 'never' }] }, { tools: [{ name: 'a', approval: 'maybe' }] }, 'tools[0].approval'],
  ['type of the knowledge base', base({ type: 'dedicated' }), base({ type: 'other' }), 'bedrock_knowledge_base.type'],
  [
    'an imported knowledge base has no type',
    base({ type: null, exist_knowledge_base_id: 'kb' }),
    base({ type: 'shared', exist_knowledge_base_id: 'kb' }),
    'bedrock_knowledge_base.type',
  ],
  ['no overlap', chunking({ overlap_percentage: 0 }), chunking({ overlap_percentage: -1 }), `${CHUNKING}.overlap_percentage`],
  ['crawling', base({ web_crawling_scope: 'host' }), base({ web_crawling_scope: 'web' }), 'bedrock_knowledge_base.web_crawling_scope'],
  ['icon', { icon: 'graduation_cap' }, { icon: 'graduation-cap' }, 'icon'],
  ['colour', { colour: 'grey' }, { colour: '#808080' }, 'colour'],
  ['sources that fail', base({ on_source_error: 'skip' }), base({ on_source_error: 'ask' }), 'bedrock_knowledge_base.on_source_error'],
  [
    'pages of a crawl',
    base({ web_crawling_limits: { max_pages: 5_000 } }),
    base({ web_crawling_limits: { max_pages: 5_001 } }),
    'bedrock_knowledge_base.web_crawling_limits.max_pages',
  ],
  [
    'patterns of a crawl',
    base({ web_crawling_filters: { include_patterns: many(50) } }),
    base({ web_crawling_filters: { include_patterns: many(51) } }),
    'bedrock_knowledge_base.web_crawling_filters.include_patterns',
  ],
  [
    'results of a search',
    base({ search_params: { max_results: 100 } }),
    base({ search_params: { max_results: 101 } }),
    'bedrock_knowledge_base.search_params.max_results',
  ],
  ['chunking strategy', chunking({ chunking_strategy: 'none' }), chunking({ chunking_strategy: 'lines' }), `${CHUNKING}.chunking_strategy`],
  ['chunk size', chunking({ max_tokens: 8_192 }), chunking({ max_tokens: 8_193 }), `${CHUNKING}.max_tokens`],
  ['overlap', chunking({ overlap_percentage: 99 }), chunking({ overlap_percentage: 100 }), `${CHUNKING}.overlap_percentage`],
  [
    'child chunks smaller than their parents',
    chunking({ chunking_strategy: 'hierarchical', max_parent_token_size: 500, max_child_token_size: 499 }),
    chunking({ chunking_strategy: 'hierarchical', max_parent_token_size: 500, max_child_token_size: 500 }),
    CHUNKING,
  ],
  [
    'overlap below the size of child chunks',
    chunking({ chunking_strategy: 'hierarchical', max_child_token_size: 100, overlap_tokens: 99 }),
    chunking({ chunking_strategy: 'hierarchical', max_child_token_size: 100, overlap_tokens: 100 }),
    CHUNKING,
  ],
];

describe.each([
  ['creating', create, 201],
  ['changing', change, 200],
] as const)('limits of fields when %s a bot', (_, send, taken) => {
  it.each(LIMITS)('%s', async (_name, within, beyond, field) => {
    // The models of an earlier case must not affect a later one.
    expect((await send({ active_models: [], default_model: null, ...within })).status).toBe(taken);
    const { status, body } = await send({ active_models: [], default_model: null, ...beyond });
    expect([status, body.code, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, 'invalid_body', [field]]);
  });

  it.each([
    ['a title that is a number', { title: 7 }, 'title'],
    ['an operator', { title: { $ne: '' } }, 'title'],
    ['an instruction that is a list', { instruction: ['x'] }, 'instruction'],
    ['a boolean as text', { display_retrieved_chunks: 'true' }, 'display_retrieved_chunks'],
    ['an owner', { owner_user_id: 'ben' }, 'owner_user_id'],
    ['a scope', { shared_scope: 'all' }, 'shared_scope'],
    ['an unknown field of a part', { generation_params: { seed: 1 } }, 'generation_params.seed'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await send(body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, field]);
  });

  it.each([
    ['source_urls', 200, (index: number) => `http://127.0.0.1:1/${index}`],
    ['sitemap_urls', 20, (index: number) => `http://127.0.0.1:1/${index}`],
    ['s3_urls', 200, (index: number) => `s3://open/${index}/`],
    ['filenames', 10_000, (index: number) => `${index}.txt`],
  ] as const)('accepts knowledge up to its limit: %s', async (name, most, make) => {
    const within = await send({ knowledge: { [name]: many(most, make as (nth: number) => string) } });
    if (name === 's3_urls') expect([within.status, within.body.code]).toEqual([400, 's3_url_not_allowed']);
    else expect([within.status, within.body.knowledge[name].length]).toEqual([taken, most]);
    const { body } = await send({ knowledge: { [name]: many(most + 1, make as (nth: number) => string) } });
    expect([body.status, body.code, body.errors[0].path]).toEqual([400, 'invalid_body', `knowledge.${name}`]);
    await send({ knowledge: { [name]: [] } });
  });

  it.each([
    ['a page that is not a URL', { source_urls: ['example.org'] }, 'source_urls'],
    ['a page of another protocol', { source_urls: ['file:///etc/passwd'] }, 'source_urls'],
    ['a page with a password', { source_urls: ['https://ann:secret@example.org/'] }, 'source_urls'],
    ['a sitemap of another protocol', { sitemap_urls: ['ftp://example.org/'] }, 'sitemap_urls'],
    ['an invalid bucket', { s3_urls: ['s3://A/'] }, 's3_urls'],
    ['a file name with a slash', { filenames: ['../a.txt'] }, 'filenames'],
    ['a file name with a backslash', { filenames: ['a\\b.txt'] }, 'filenames'],
    ['a file name with a line break', { filenames: ['a\nb.txt'] }, 'filenames'],
    ['a file name with a space at its end', { filenames: ['a.txt '] }, 'filenames'],
    ['an empty file name', { filenames: [''] }, 'filenames'],
    ['a file name that is too long', { filenames: ['x'.repeat(256)] }, 'filenames'],
    ['an unchanged file that the bot never had', { unchanged_filenames: ['a.pdf'] }, 'unchanged_filenames'],
    ['a complete list and changes of file names', { filenames: [], added_filenames: ['a.pdf'] }, 'filenames'],
  ])('refuses knowledge with %s', async (_name, knowledge, field) => {
    const { body } = await send({ knowledge });
    expect([body.status, body.code, body.errors[0].path]).toEqual([400, 'invalid_body', `knowledge.${field}`]);
  });

  it('refuses knowledge whose file names exceed 1 MiB in total', async () => {
    const filenames = many(9_000, (index) => `${'x'.repeat(200)}${index}`);
    const { body } = await send({ knowledge: { filenames } });
    expect([body.status, body.errors[0].path]).toEqual([400, 'knowledge']);
  });

  it('refuses a knowledge base that is not configured', async () => {
    const { body } = await send(base({ exist_knowledge_base_id: 'other' }));
    expect(body).toMatchObject({ status: 400, code: 'knowledge_base_not_found' });
  });

  it.each(['often', '* * * * *', '*/14 * * * *', '0 3 * *', '0 0 3 * * *', '0 0 31 2 *', '99 * * * *'])(
    'refuses the schedule %j',
    async (sync_schedule) => {
      const { body } = await send({ sync_schedule });
      expect([body.status, body.code, body.errors[0].path]).toEqual([400, 'invalid_body', 'sync_schedule']);
    },
  );
  it('accepts a schedule, and null for none', async () => {
    expect((await send({ sync_schedule: '*/15 * * * *' })).body.sync_schedule).toBe('*/15 * * * *');
    expect((await send({ sync_schedule: null })).body.sync_schedule).toBeNull();
  });
});

describe('creating a bot', () => {
  it.each([
    ['no title', { title: undefined }, 'title'],
    ['a malformed id', { id: 'guide' }, 'id'],
  ])('is refused with %s', async (_, body, field) => {
    const answer = await create(body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, field]);
  });
});
