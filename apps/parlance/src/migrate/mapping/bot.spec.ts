import { describe, expect, it } from '@jest/globals';
import type { Item } from '../source/dynamo-item.ts';
import { BotRules } from '@parlance/bots';
import { botOf, type Offered } from './bot.ts';
import { LeftOut, type Note } from './note.ts';

const ID = '01JH6R5E00EY448H9GBZWJ1JTJ';
const offered: Offered = { models: ['claude-v3.5-sonnet', 'nova-pro'], bases: new Map(), faultsOf: () => [] };
const mapped = (item: Item, version: 2 | 3 = 3, notes: Note[] = [], more: Partial<Offered> = {}) =>
  botOf(
    { kind: 'bot', userId: 'u', id: ID, version, item: { Title: 'Guide', CreateTime: '1741089600', ...item } },
    ['d.pdf'],
    { ...offered, ...more },
    notes,
  );
const notesOf = (item: Item, more: Partial<Offered> = {}) => {
  const notes: Note[] = [];
  mapped(item, 3, notes, more);
  return notes;
};

describe('a bot of the source', () => {
  it('keeps its ID and its texts, up to the limits of this product', () => {
    const starters = [
      { title: 'Leave', example: 'How many days?' },
      { title: '', example: 'x' },
    ];
    const { id, body } = mapped({
      Title: ` ${'t'.repeat(101)} `,
      Description: 'd'.repeat(1_001),
      Instruction: 'Be brief.',
      ConversationQuickStarters: starters,
      DisplayRetrievedChunks: true,
      GenerationParams: {
        max_tokens: '2000',
        temperature: '0.6',
        top_p: 'x',
        stop_sequences: ['END', ''],
        reasoning_params: { budget_tokens: '1024' },
      },
    });
    expect(id).toBe(ID);
    expect(body).toEqual({
      knowledge: { source_urls: [], sitemap_urls: [], s3_urls: [], filenames: ['d.pdf'] },
      title: 't'.repeat(100),
      description: 'd'.repeat(1_000),
      instruction: 'Be brief.',
      conversation_quick_starters: [starters[0]],
      display_retrieved_chunks: true,
      generation_params: { max_tokens: 2_000, temperature: 0.6, stop_sequences: ['END'], reasoning_budget_tokens: 1_024 },
    });
  });
  it.each<[string, Item, LeftOut]>([
    ['a title', { Title: ' ' }, new LeftOut('title_missing')],
    ['a short instruction', { Instruction: 'x'.repeat(100_001) }, new LeftOut('instruction_too_long')],
  ])('is left out without %s', (_, item, error) => expect(() => mapped(item)).toThrow(error));
  it('keeps its sources', () => {
    const Knowledge = { source_urls: ['https://a.example'], sitemap_urls: [], s3_urls: ['s3://b/c'], filenames: ['d.pdf', 7] };
    expect(mapped({ Knowledge }).body['knowledge']).toEqual({ ...Knowledge, filenames: ['d.pdf'] });
  });
  it.each<[string, Item, 2 | 3, ReturnType<typeof botOf>['sharing']]>([
    ['is private without a scope', {}, 3, { scope: 'private', users: [], groups: [] }],
    ['is private with an unknown scope', { SharedScope: 'world' }, 3, { scope: 'private', users: [], groups: [] }],
    ['is for all', { SharedScope: 'all', AllowedCognitoUsers: ['ann'] }, 3, { scope: 'all', users: [], groups: [] }],
    [
      'is shared with the users and the groups of its lists',
      { SharedScope: 'partial', AllowedCognitoUsers: ['ann'], AllowedCognitoGroups: ['team'] },
      3,
      { scope: 'partial', users: ['ann'], groups: ['team'] },
    ],
    ['of version 2 is for all with a public ID', { PublicBotId: 'p' }, 2, { scope: 'all', users: [], groups: [] }],
    ['of version 2 is private without one', { PublicBotId: '', SharedScope: 'all' }, 2, { scope: 'private', users: [], groups: [] }],
  ])('%s', (_, item, version, sharing) => expect(mapped(item, version).sharing).toEqual(sharing));
  it('keeps its position among the pinned bots', () => {
    const pins = ['pinned@012', 'pinned@000', 'shared', undefined].map((SharedStatus) => mapped({ SharedStatus }).pin);
    expect(pins).toEqual([12, null, null, null]);
  });
  it('is starred in the way of its version', () => {
    const stars = (
      [
        [{ IsStarred: 'TRUE' }, 3],
        [{ IsPinned: true }, 2],
        [{ IsPinned: true }, 3],
        [{}, 2],
      ] as const
    ).map(([item, version]) => mapped(item, version).isStarred);
    expect(stars).toEqual([true, true, false, false]);
  });
  it('reports the names of the tools that cannot be imported', () => {
    expect(notesOf({ AgentData: { tools: [{ name: 'internet_search' }, { name: 'bedrock_agent' }] } })).toMatchObject([
      { reason: 'tools_not_taken', detail: expect.stringContaining('internet_search, bedrock_agent') },
    ]);
    expect(notesOf({ AgentData: { tools: [] } })).toEqual([]);
  });
  it('reports shortened texts, and starters beyond the maximum', () => {
    const ConversationQuickStarters = Array.from({ length: 21 }, (_, index) => ({
      title: `${index}`,
      example: index === 0 ? 'e'.repeat(4_001) : 'e',
    }));
    const notes = notesOf({ Title: 't'.repeat(101), Description: 'd'.repeat(1_001), ConversationQuickStarters });
    expect(notes.map(({ reason, detail }) => [reason, detail])).toEqual([
      ['Title_shortened', '101 characters'],
      ['Description_shortened', '1001 characters'],
      ['quick_starter_shortened', '0'],
      ['quick_starter_not_taken', '20'],
    ]);
  });
  it('keeps the time at which it was created, and reports an invalid one', () => {
    expect(mapped({ CreateTime: '1741089600' }).createdAt).toBe(1_741_089_600_000);
    expect(notesOf({ CreateTime: 'x' })).toEqual([{ reason: 'create_time_not_taken', detail: 'x' }]);
  });
  it('reports unknown settings', () => {
    const item = {
      BedrockKnowledgeBase: { storage_type: 'S3' },
      Knowledge: { sharepoint: ['x'] },
      GenerationParams: { seed: '1' },
      GroupId: 'g',
    };
    expect(notesOf(item).map(({ reason }) => reason)).toEqual([
      'GroupId_unknown',
      'knowledge.sharepoint_unknown',
      'generation_params.seed_unknown',
      'bedrock_knowledge_base.storage_type_unknown',
    ]);
  });
  it('reports the number of its uses', () =>
    expect(notesOf({ UsageStats: { usage_count: '12' } })).toMatchObject([{ reason: 'usage_count_not_taken' }]));
  it('keeps the setting for prompt caching', () => {
    expect(mapped({ PromptCachingEnabled: false }).body).toHaveProperty('prompt_caching_enabled', false);
    expect(mapped({ PromptCachingEnabled: true }).body).not.toHaveProperty('prompt_caching_enabled');
  });
});

describe('the active models of a bot of the source', () => {
  const modelsOf = (ActiveModels: object, notes: Note[] = []) => mapped({ ActiveModels }, 3, notes).body['active_models'];
  it('are no limit if all are active', () => expect(modelsOf({ claude_v3_5_sonnet: true, nova_pro: true })).toBeUndefined());
  it('are known by their names in this installation', () => {
    const notes: Note[] = [];
    expect([modelsOf({ claude_v3_5_sonnet: true, nova_pro: false }, notes), notes]).toEqual([['claude-v3.5-sonnet'], []]);
  });
  it.each([
    [{ claude_v2: true, nova_pro: false }, ['claude_v2'], /^claude_v2: The bot is inactive until/],
    [{ claude_v2: true, nova_pro: true, x: false }, ['nova-pro', 'claude_v2'], /^claude_v2: The bot has only nova-pro until/],
    [{ nova_pro: false }, ['no-active-model'], /^none is active: The bot is inactive until/],
  ])('are still a limit if this installation lacks some of them: %j', (raw, models, detail) => {
    const notes: Note[] = [];
    expect(modelsOf(raw, notes)).toEqual(models);
    expect(notes).toEqual([{ reason: 'active_models_not_here', detail: expect.stringMatching(detail) }]);
  });
});

describe('the knowledge base of a bot of the source', () => {
  const baseOf = (BedrockKnowledgeBase: Item, more: Item = {}, change: Partial<Offered> = {}) =>
    mapped({ BedrockKnowledgeBase, ...more }, 3, [], change).body['bedrock_knowledge_base'];
  const reasonsOf = (BedrockKnowledgeBase: Item, change: Partial<Offered> = {}) =>
    notesOf({ BedrockKnowledgeBase }, change).map(({ reason, detail }) => `${reason} ${detail}`);

  it("keeps chunking and search, but uses this product's defaults for the defaults of the source", () => {
    const chunking_configuration = { chunking_strategy: 'fixed_size', max_tokens: '300', overlap_percentage: '20' };
    expect(baseOf({ chunking_configuration, search_params: { max_results: '20', search_type: 'semantic' } })).toEqual({
      chunking_configuration: { chunking_strategy: 'fixed_size', max_tokens: 300, overlap_percentage: 20 },
      search_params: { max_results: 20, search_type: 'semantic' },
    });
    expect(baseOf({ chunking_configuration: { chunking_strategy: 'default' } })).toBeUndefined();
  });
  it.each([
    ['HOST_ONLY', { web_crawling_scope: 'host' }],
    ['SUBDOMAINS', { web_crawling_scope: 'subdomains' }],
    [
      'DEFAULT',
      {
        web_crawling_scope: 'host',
        web_crawling_filters: { include_patterns: ['https://a.example/docs/*'], exclude_patterns: [] },
      },
    ],
  ])('keeps the crawling scope of %s', (web_crawling_scope, base) => {
    expect(baseOf({ web_crawling_scope }, { Knowledge: { source_urls: ['https://a.example/docs/?x=1#top'] } })).toEqual(base);
  });
  it('reads only the named pages if it cannot import the filters of a crawl, and reports them', () => {
    const raw = {
      web_crawling_scope: 'HOST_ONLY',
      web_crawling_filters: { exclude_patterns: [String.raw`.*\.pdf$`], include_patterns: [] },
    };
    expect(baseOf(raw)).toBeUndefined();
    expect(reasonsOf(raw)).toEqual([
      expect.stringContaining(String.raw`web_crawling_filters_not_taken exclude_patterns .*\.pdf$`),
      'bedrock_knowledge_base.web_crawling_scope_not_taken HOST_ONLY',
    ]);
  });
  it('reports the parsing and embedding models of the source, and the type and the analyser of its index', () => {
    const raw = {
      parsing_model: 'anthropic.claude-3-haiku-v1',
      embeddings_model: 'titan_v2',
      type: 'dedicated',
      open_search: { analyzer: { character_filters: [], tokenizer: 'icu_tokenizer', token_filters: [] } },
    };
    expect(reasonsOf(raw)).toEqual([
      expect.stringMatching(/^bedrock_knowledge_base\.parsing_model_not_taken anthropic\.claude-3-haiku-v1: /),
      expect.stringMatching(/^bedrock_knowledge_base\.type_not_taken dedicated: /),
      expect.stringMatching(/^bedrock_knowledge_base\.open_search_not_taken .*icu_tokenizer/),
      expect.stringMatching(/^bedrock_knowledge_base\.embeddings_model_not_taken titan_v2: /),
    ]);
    expect(reasonsOf({ parsing_model: 'disabled', open_search: { analyzer: null } })).toEqual([]);
  });
  it('has the name that this installation gives to a knowledge base of Amazon Bedrock', () => {
    const bases = new Map([['ABCDEFGHIJ', 'wiki']]);
    expect(baseOf({ exist_knowledge_base_id: 'ABCDEFGHIJ' }, {}, { bases })).toEqual({ exist_knowledge_base_id: 'wiki' });
  });
  it('is reported if this installation has none with its ID', () => {
    const rules = new BotRules({ retrievers: {}, knowledgeS3: null });
    const overrides = { faultsOf: (body: object) => rules.faultsOf(body) };
    expect(reasonsOf({ exist_knowledge_base_id: 'ABCDEFGHIJ' }, overrides)).toEqual([
      expect.stringMatching(
        /^bedrock_knowledge_base\.exist_knowledge_base_id_not_taken "ABCDEFGHIJ": must name a knowledge base in the retrievers setting/,
      ),
    ]);
  });
});
