import { newId } from '@parlance/event-store';
import { BotsUnderTest } from '../bots-under-test.ts';

/** A value for each field, other than the default. */
export const NEW_VALUES: Readonly<Record<string, unknown>> = {
  title: 'Map',
  description: 'Knows the way',
  instruction: 'Be brief.',
  guardrail_blocked_text: 'Ask the help desk.',
  conversation_quick_starters: [{ title: 'Start', example: 'Where am I?' }],
  display_retrieved_chunks: false,
  bedrock_knowledge_base: {
    type: 'shared',
    exist_knowledge_base_id: null,
    chunking_configuration: { chunking_strategy: 'none' },
    parsing_model: null,
    search_params: { max_results: 9, search_type: 'lexical' },
    web_crawling_scope: 'host',
    web_crawling_filters: { include_patterns: ['/docs/*'], exclude_patterns: [] },
    web_crawling_limits: { max_depth: 1, max_pages: 20 },
    on_source_error: 'skip',
  },
  bedrock_guardrails: {
    is_guardrail_enabled: true,
    guardrail_arn: 'arn',
    guardrail_version: '1',
    grounding_threshold: 0.5,
    relevance_threshold: 0.25,
  },
  generation_params: { max_tokens: 1, top_k: 2, top_p: 0.5, temperature: 1, stop_sequences: ['.'], reasoning_budget_tokens: 0 },
  active_models: ['m', 'n'],
  default_model: 'm',
  prompt_caching_enabled: false,
  tools: [{ name: 'search', approval: 'always' }],
  sync_schedule: '0 3 * * 1',
  memory: true,
  icon: 'compass',
  colour: 'teal',
};

export type ChangesUnderTest = Awaited<ReturnType<typeof changesUnderTest>>;

/** The service of bots, an owner, an editor, a user who may only see the bot, and what they ask. */
export async function changesUnderTest() {
  const [editor, viewer] = [newId(), newId()];
  const bots = await BotsUnderTest.start();
  const ann = () => bots.creator('ann');
  const admin = () => bots.service.as('root', 'Admin');
  const change = (id: string, body: object, headers = ann()) => bots.ask('PATCH', `/bot/${id}`, headers, body);
  const history = async (id: string, query = '', headers = ann()) => (await bots.get(`/bot/${id}/history${query}`, headers)).body;
  const restore = (id: string, version: number, headers = ann()) => bots.ask('POST', `/bot/${id}/restore`, headers, { version });
  const share = (id: string) =>
    bots.share('ann', id, 'partial', { target_allowed_user_ids: [editor, viewer], target_editor_user_ids: [editor] });

  return { bots, ann, admin, editor, viewer, change, history, restore, share };
}
