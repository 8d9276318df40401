import { type Chunk, DEFAULT_PARAMETERS, type GenerationParameters, type Prompt } from '@parlance/chat-models';
import type { InputTokens } from '../domain/input-usage.ts';

/** The most chunks in a prompt. */
export const MOST_CHUNKS = 100;
/** The most bytes of the chunks' texts, which are stored with the reply. The chunk that exceeds the limit is cut, and later ones are left out. */
export const CHUNK_BYTES = 256 * 1024;
/** Characters of a source, its name, or a heading. */
export const LONGEST_LABEL = 2_048;

/** How a bot's answers are checked. */
export interface GuardrailSettings {
  /** The ARN of a guardrail of Amazon Bedrock. Null for the built-in check. */
  readonly arn: string | null;
  readonly version: string;
  /** From 0 to 1. With 0 every answer passes. */
  readonly groundingThreshold: number;
  readonly relevanceThreshold: number;
  /** Shown instead of a blocked answer. Empty for the default text. */
  readonly blockedText: string;
}

/** A tool that a bot names, and when its calls need the user's approval. A name that ends with `__*` means all tools of a server. */
export interface ToolOfBot {
  readonly name: string;
  readonly approval: 'never' | 'always' | 'writes';
}

/** Tokens of a model that is called for a search in a bot's knowledge. */
export interface PaidTokens extends InputTokens {
  readonly model: string;
}

/** The reranker's usage. */
export interface PaidReranking extends PaidTokens {
  readonly searches: number;
}

/** The usage of a search in a bot's knowledge. Null if free. */
export interface PaidSearch {
  readonly embedding: PaidTokens | null;
  readonly reranking: PaidReranking | null;
}

/** The facts about a bot that its reply needs besides the prompt. */
export interface BotFacts extends PaidSearch {
  /** The version of the configuration. Null from a replica of an earlier release. */
  readonly version: number | null;
  /** The IDs of the chunks, in their order. */
  readonly chunkIds: readonly string[];
  /** Null if answers are not checked. */
  readonly guardrail: GuardrailSettings | null;
  /** IDs of the models that may answer. Empty if all may. */
  readonly activeModels: readonly string[];
  readonly tools: readonly ToolOfBot[];
  /** The user who owns the bot, and the user who last changed what its model is asked or reads. Null from a replica of an earlier release. */
  readonly ownerId: string | null;
  readonly configuredBy: string | null;
  /** Whether its conversations use the memories of their users. Null: only those of its owner. */
  readonly memory: boolean | null;
}

/** The part of a prompt that the bots service decides. */
export type FromBot = Omit<Prompt, 'turns'> & { readonly bot: BotFacts | null };

/** The answer of the bots service. Replicas of earlier releases leave out optional fields. */
export interface Retrieved {
  readonly display_retrieved_chunks: boolean;
  readonly instruction: string;
  readonly has_knowledge: boolean;
  readonly chunks: readonly (Chunk & { readonly id?: string })[];
  readonly version?: number;
  readonly generation_params?: {
    readonly max_tokens: number | null;
    readonly top_k: number | null;
    readonly top_p: number | null;
    readonly temperature: number | null;
    readonly stop_sequences: readonly string[];
    readonly reasoning_budget_tokens: number | null;
  };
  readonly prompt_caching_enabled?: boolean;
  readonly active_models?: readonly string[];
  readonly bedrock_guardrails?: {
    readonly is_guardrail_enabled: boolean;
    readonly guardrail_arn: string;
    readonly guardrail_version: string;
    readonly grounding_threshold: number;
    readonly relevance_threshold: number;
  };
  readonly guardrail_blocked_text?: string;
  readonly embedding?: BotFacts['embedding'];
  readonly reranking?: BotFacts['reranking'];
  readonly tools?: readonly ToolOfBot[];
  readonly owner_user_id?: string;
  readonly configured_by?: string | null;
  readonly memory?: boolean | null;
}

/** Applies limits to the answer of the bots service, and defaults for fields that a replica of an earlier release leaves out. */
export function fromBot(found: Retrieved): FromBot {
  const { instruction, has_knowledge, display_retrieved_chunks: showsSources, prompt_caching_enabled: isCached = false } = found;
  const chunks = bounded(found.chunks);
  return {
    instruction,
    knowledge: has_knowledge ? { chunks, showsSources } : null,
    parameters: parametersOf(found),
    isCached,
    bot: {
      version: found.version ?? null,
      chunkIds: found.chunks.slice(0, chunks.length).map(({ id, source_id, rank }) => label(id ?? `${source_id}#${rank}`)),
      guardrail: guardrailOf(found),
      activeModels: found.active_models ?? [],
      embedding: found.embedding ?? null,
      reranking: found.reranking ?? null,
      tools: found.tools ?? [],
      ownerId: found.owner_user_id ?? null,
      configuredBy: found.configured_by ?? null,
      memory: found.memory ?? null,
    },
  };
}

function parametersOf({ generation_params: params }: Retrieved): GenerationParameters {
  if (!params) return DEFAULT_PARAMETERS;
  const { max_tokens, temperature, top_p, top_k, stop_sequences, reasoning_budget_tokens } = params;
  return {
    maxTokens: max_tokens,
    temperature,
    topP: top_p,
    topK: top_k,
    stopSequences: stop_sequences,
    reasoningTokens: reasoning_budget_tokens,
  };
}

function guardrailOf({ bedrock_guardrails: settings, guardrail_blocked_text: blockedText = '' }: Retrieved): GuardrailSettings | null {
  if (!settings?.is_guardrail_enabled) return null;
  const { guardrail_arn: arn, guardrail_version: version, grounding_threshold, relevance_threshold } = settings;
  return {
    arn: arn.startsWith('arn:') ? arn : null,
    version,
    groundingThreshold: grounding_threshold,
    relevanceThreshold: relevance_threshold,
    blockedText,
  };
}

/** Numbers the ranks again, so that each marker has its chunk. */
function bounded(chunks: readonly Chunk[]): readonly Chunk[] {
  const kept: Chunk[] = [];
  let left = CHUNK_BYTES;
  for (const chunk of chunks.slice(0, MOST_CHUNKS)) {
    if (left <= 0) break;
    const content = firstBytes(chunk.content, left);
    left -= Buffer.byteLength(content);
    const { source, source_name, source_id, page_number, heading, score } = chunk;
    const labels = { source: label(source), source_name: label(source_name), source_id, page_number, heading: heading && label(heading) };
    kept.push({ content, content_type: 'text', ...labels, rank: kept.length + 1, score });
  }
  return kept;
}

const label = (text: string): string => text.slice(0, LONGEST_LABEL).toWellFormed();

function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  // A character that is cut in the middle ends as U+FFFD.
  return Buffer.from(text)
    .subarray(0, most)
    .toString()
    .replace(/\uFFFD$/, '');
}
