import type { PrivateBot } from '@parlance/client/types';
import { changesOf, type Draft, draftOf, isChanged } from './draft.ts';
import { numberOrNull } from './form.ts';

const bot = {
  title: 'Guide',
  icon: null,
  colour: 'teal',
  description: '',
  instruction: 'Answer briefly.',
  conversation_quick_starters: [],
  active_models: [],
  default_model: null,
  prompt_caching_enabled: true,
  memory: null,
  generation_params: {
    max_tokens: null,
    temperature: 0.5,
    top_p: null,
    top_k: null,
    reasoning_budget_tokens: null,
    stop_sequences: ['END'],
  },
  tools: [],
  display_retrieved_chunks: true,
  sync_schedule: null,
  bedrock_knowledge_base: {
    type: 'shared',
    exist_knowledge_base_id: null,
    parsing_model: null,
    chunking_configuration: {
      chunking_strategy: 'hierarchical',
      hierarchical_chunking_configuration: { level_configurations: [{ max_tokens: 900 }, { max_tokens: 200 }], overlap_tokens: 40 },
    },
    search_params: { max_results: 5, search_type: 'hybrid' },
    web_crawling_scope: 'single_page',
    web_crawling_filters: { include_patterns: [], exclude_patterns: [] },
    web_crawling_limits: { max_depth: 2, max_pages: 100 },
    on_source_error: 'fail',
  },
  bedrock_guardrails: {
    is_guardrail_enabled: false,
    guardrail_arn: '',
    guardrail_version: '',
    grounding_threshold: 0.5,
    relevance_threshold: 0.5,
  },
  guardrail_blocked_text: '',
} as unknown as PrivateBot;

const saved = draftOf(bot);

describe('the draft of a bot', () => {
  it('has no changes at first', () => {
    expect(changesOf(saved, saved)).toEqual({});
    expect(isChanged(draftOf(bot), saved)).toBe(false);
  });

  it('sends only the fields that differ', () =>
    expect(changesOf({ ...saved, title: 'Handbook', defaultModel: 'local-extractive' }, saved)).toEqual({
      title: 'Handbook',
      default_model: 'local-extractive',
    }));

  it('removes a default model, a schedule and an icon with null', () => {
    const before: Draft = { ...saved, defaultModel: 'local-extractive', schedule: '0 6 * * 1', icon: 'leaf' };
    expect(changesOf(saved, before)).toEqual({ icon: null, default_model: null, sync_schedule: null });
  });

  it('reads lists from lines, without empty ones', () =>
    expect(changesOf({ ...saved, stopSequences: 'END\n\n  STOP ' }, saved).generation_params).toMatchObject({
      stop_sequences: ['END', 'STOP'],
      temperature: 0.5,
    }));

  it('has the parameters of the chosen strategy alone', () => {
    const draft = { ...saved, knowledge: { ...saved.knowledge, strategy: 'fixed_size' as const } };
    expect(changesOf(draft, saved).bedrock_knowledge_base?.chunking_configuration).toEqual({
      chunking_strategy: 'fixed_size',
      fixed_size_chunking_configuration: { max_tokens: 300, overlap_percentage: 20 },
    });
  });

  it('keeps the parameters of a strategy while another one is chosen', () =>
    expect(saved.knowledge.hierarchical).toEqual({ parent: 900, child: 200, overlap_tokens: 40 }));

  it('sends each field under its name', () => {
    const draft: Draft = {
      ...saved,
      title: 'Handbook',
      description: 'All rules.',
      instruction: 'Quote.',
      starters: [{ title: 'Leave', example: 'How many days?' }],
      activeModels: ['a', 'b'],
      promptCaching: false,
      memory: true,
      showChunks: false,
      schedule: ' 0 6 * * 1 ',
      blockedText: 'Not allowed.',
      generation: { max_tokens: 1, temperature: 2, top_p: 3, top_k: 4, reasoning_budget_tokens: 5 },
      guardrail: { ...saved.guardrail, is_guardrail_enabled: true, guardrail_arn: 'arn', guardrail_version: '7' },
      knowledge: {
        ...saved.knowledge,
        type: 'dedicated',
        hierarchical: { parent: 800, child: 100, overlap_tokens: 30 },
        parsingModel: ' reader ',
        searchType: 'semantic',
        maxResults: 9,
        scope: 'subdomains',
        include: 'docs/*',
        exclude: 'private/*\n\ndrafts/*',
        maxDepth: 3,
        maxPages: 50,
        onSourceError: 'skip' as const,
      },
    };
    expect(changesOf(draft, saved)).toEqual({
      title: 'Handbook',
      description: 'All rules.',
      instruction: 'Quote.',
      conversation_quick_starters: [{ title: 'Leave', example: 'How many days?' }],
      active_models: ['a', 'b'],
      prompt_caching_enabled: false,
      memory: true,
      display_retrieved_chunks: false,
      sync_schedule: '0 6 * * 1',
      guardrail_blocked_text: 'Not allowed.',
      generation_params: { max_tokens: 1, temperature: 2, top_p: 3, top_k: 4, reasoning_budget_tokens: 5, stop_sequences: ['END'] },
      bedrock_guardrails: { ...saved.guardrail, is_guardrail_enabled: true, guardrail_arn: 'arn', guardrail_version: '7' },
      bedrock_knowledge_base: {
        type: 'dedicated',
        chunking_configuration: {
          chunking_strategy: 'hierarchical',
          hierarchical_chunking_configuration: { level_configurations: [{ max_tokens: 800 }, { max_tokens: 100 }], overlap_tokens: 30 },
        },
        parsing_model: 'reader',
        search_params: { search_type: 'semantic', max_results: 9 },
        web_crawling_scope: 'subdomains',
        web_crawling_filters: { include_patterns: ['docs/*'], exclude_patterns: ['private/*', 'drafts/*'] },
        web_crawling_limits: { max_depth: 3, max_pages: 50 },
        on_source_error: 'skip',
      },
    });
  });

  it('leaves out the model that parses pages while none is named', () => {
    const draft = { ...saved, knowledge: { ...saved.knowledge, parsingModel: ' ', maxResults: 6 } };
    expect(changesOf(draft, saved).bedrock_knowledge_base).not.toHaveProperty('parsing_model');
  });

  it('has no number for an empty number field', () => expect([numberOrNull(Number.NaN), numberOrNull(0)]).toEqual([null, 0]));

  it('names an existing knowledge base without a type', () => {
    const draft = { ...saved, knowledge: { ...saved.knowledge, type: 'existing' as const, existingId: ' wiki ' } };
    const base = changesOf(draft, saved).bedrock_knowledge_base;
    expect(base).toMatchObject({ exist_knowledge_base_id: 'wiki' });
    expect(base).not.toHaveProperty('type');
  });
});
