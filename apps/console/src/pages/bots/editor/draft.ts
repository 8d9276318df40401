import type { ChangeBotBody, PrivateBot } from '@parlance/client/types';
import type { Appearance } from '../icon/appearance.ts';
import { type KnowledgeDraft, knowledgeBaseOf, knowledgeDraftOf } from './knowledge-draft.ts';
import { linesOf } from './lines.ts';

/** The fields of the editor. Lists of short texts are held as one text with an entry per line. */
export interface Draft extends Appearance {
  readonly title: string;
  readonly description: string;
  readonly instruction: string;
  readonly starters: readonly { readonly title: string; readonly example: string }[];
  readonly activeModels: readonly string[];
  /** Empty: the default of the installation. */
  readonly defaultModel: string;
  readonly promptCaching: boolean;
  /** Null: only in the chats of the owner. */
  readonly memory: boolean | null;
  readonly generation: Readonly<Record<GenerationNumber, number | null>>;
  readonly stopSequences: string;
  readonly tools: PrivateBot['tools'];
  readonly showChunks: boolean;
  readonly schedule: string;
  readonly knowledge: KnowledgeDraft;
  readonly guardrail: PrivateBot['bedrock_guardrails'];
  readonly blockedText: string;
}

export const GENERATION_NUMBERS = ['max_tokens', 'temperature', 'top_p', 'top_k', 'reasoning_budget_tokens'] as const;
export type GenerationNumber = (typeof GENERATION_NUMBERS)[number];

export function draftOf(bot: PrivateBot): Draft {
  const { stop_sequences: stops, ...generation } = bot.generation_params;
  return {
    title: bot.title,
    icon: bot.icon,
    colour: bot.colour,
    description: bot.description,
    instruction: bot.instruction,
    starters: bot.conversation_quick_starters,
    activeModels: bot.active_models,
    defaultModel: bot.default_model ?? '',
    promptCaching: bot.prompt_caching_enabled,
    memory: bot.memory,
    generation,
    stopSequences: stops.join('\n'),
    tools: bot.tools,
    showChunks: bot.display_retrieved_chunks,
    schedule: bot.sync_schedule ?? '',
    knowledge: knowledgeDraftOf(bot.bedrock_knowledge_base),
    guardrail: bot.bedrock_guardrails,
    blockedText: bot.guardrail_blocked_text,
  };
}

/** The whole configuration in the API's form. */
function configurationOf(draft: Draft): ChangeBotBody {
  return {
    title: draft.title,
    icon: draft.icon,
    colour: draft.colour,
    description: draft.description,
    instruction: draft.instruction,
    conversation_quick_starters: draft.starters.map(({ title, example }) => ({ title, example })),
    active_models: [...draft.activeModels],
    default_model: draft.defaultModel === '' ? null : draft.defaultModel,
    prompt_caching_enabled: draft.promptCaching,
    memory: draft.memory,
    generation_params: { ...draft.generation, stop_sequences: linesOf(draft.stopSequences) },
    tools: draft.tools.map(({ name, approval }) => ({ name, approval })),
    display_retrieved_chunks: draft.showChunks,
    sync_schedule: draft.schedule.trim() === '' ? null : draft.schedule.trim(),
    bedrock_knowledge_base: knowledgeBaseOf(draft.knowledge),
    bedrock_guardrails: { ...draft.guardrail },
    guardrail_blocked_text: draft.blockedText,
  };
}

/** The fields that the draft changes. Omitted fields stay as they are, so that people who edit other fields do not conflict. */
export function changesOf(draft: Draft, saved: Draft): ChangeBotBody {
  const before: Readonly<Record<string, unknown>> = { ...configurationOf(saved) };
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(configurationOf(draft)).filter(differs)) as ChangeBotBody;
}

export const isChanged = (draft: Draft, saved: Draft): boolean => Object.keys(changesOf(draft, saved)).length > 0;
