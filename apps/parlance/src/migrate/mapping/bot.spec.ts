import { describe, expect, it } from '@jest/globals';
import type { Item } from '../source/dynamo-item.ts';
import { botOf } from './bot.ts';
import { LeftOut, type Note } from './note.ts';

const ID = '01JH6R5E00EY448H9GBZWJ1JTJ';
const mapped = (item: Item, version: 2 | 3 = 3, notes: Note[] = []) =>
  botOf({ kind: 'bot', userId: 'u', id: ID, version, item: { Title: 'Guide', ...item } }, notes);

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
    expect(mapped({ Knowledge }).knowledge).toEqual({ ...Knowledge, filenames: ['d.pdf'] });
  });
  it.each<[string, Item, 2 | 3, ReturnType<typeof botOf>['sharing']]>([
    ['is private without a scope', {}, 3, { scope: 'private', users: [], groups: [] }],
    ['is private with an unknown scope', { SharedScope: 'world' }, 3, { scope: 'private', users: [], groups: [] }],
    ['is for all', { SharedScope: 'all', AllowedCognitoUsers: ['ann'] }, 3, { scope: 'all', users: [], groups: [] }],
    [
      'is for the users and the groups of its lists',
      { SharedScope: 'partial', AllowedCognitoUsers: ['ann'], AllowedCognitoGroups: ['team'] },
      3,
      { scope: 'partial', users: ['ann'], groups: ['team'] },
    ],
    ['of version 2 is for all with a public ID', { PublicBotId: 'p' }, 2, { scope: 'all', users: [], groups: [] }],
    ['of version 2 is private without one', { PublicBotId: '', SharedScope: 'all' }, 2, { scope: 'private', users: [], groups: [] }],
  ])('%s', (_, item, version, sharing) => expect(mapped(item, version).sharing).toEqual(sharing));
  it('keeps its place among the pinned bots', () => {
    const pins = ['pinned@012', 'pinned@000', 'shared', undefined].map((SharedStatus) => mapped({ SharedStatus }).pin);
    expect(pins).toEqual([12, null, null, null]);
  });
  it('is starred as its version says so', () => {
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
  it('keeps chunking and search, and leaves them to this product where they are the default of the source', () => {
    const chunking_configuration = { chunking_strategy: 'fixed_size', max_tokens: '300', overlap_percentage: '20' };
    const BedrockKnowledgeBase = { chunking_configuration, search_params: { max_results: '20', search_type: 'hybrid' } };
    expect(mapped({ BedrockKnowledgeBase }).perhaps).toEqual({
      bedrock_knowledge_base: {
        chunking_configuration: { chunking_strategy: 'fixed_size', max_tokens: 300, overlap_percentage: 20 },
        search_params: { max_results: 20 },
      },
    });
    for (const strategy of ['default', 'unknown'])
      expect(mapped({ BedrockKnowledgeBase: { chunking_configuration: { chunking_strategy: strategy } } }).perhaps).toEqual({});
  });
  it('reports models and tools that it cannot take', () => {
    const notes: Note[] = [];
    mapped({ ActiveModels: { a: true, b: false }, AgentData: { tools: [{}] } }, 3, notes);
    expect(notes.map(({ reason }) => reason)).toEqual(['active_models_not_taken', 'tools_not_taken']);
    const none: Note[] = [];
    mapped({ ActiveModels: { a: true }, AgentData: { tools: [] } }, 3, none);
    expect(none).toEqual([]);
  });
});
