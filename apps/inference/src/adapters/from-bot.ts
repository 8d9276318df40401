import { type Chunk, DEFAULT_PARAMETERS, type GenerationParameters, type Prompt } from '@parlance/chat-models';
import type { InputTokens } from '../domain/input-usage.ts';

/** Chunks that a model is given at most, … */
export const MOST_CHUNKS = 100;
/** … and bytes of their texts in all. They are stored with the reply. The chunk that passes the limit is cut, the ones behind it are left out. */
export const CHUNK_BYTES = 256 * 1024;
/** Characters of a source, a name of a source or a heading. */
export const LONGEST_LABEL = 2_048;

/** How the answers of a bot are checked. */
export interface GuardrailSettings {
  /** Of a guardrail of Amazon Bedrock; null for the built-in check. */
  readonly arn: string | null;
  readonly version: string;
  /** From 0 to 1. 0 lets every answer pass. */
  readonly groundingThreshold: number;
  readonly relevanceThreshold: number;
  /** Given to users instead of an answer that is blocked. Empty for the default text. */
  readonly blockedText: string;
}

/** A tool that a bot names, and when a call of it needs the user's approval. The name may end with `__*`: all tools of a server. */
export interface ToolOfBot {
  readonly name: string;
  readonly approval: 'never' | 'always' | 'writes';
}

/** Tokens of a model that is called for the search of a bot. */
export interface PaidTokens extends InputTokens {
  readonly model: string;
}

/** What the reranker has used. */
export interface PaidReranking extends PaidTokens {
  readonly searches: number;
}

/** What a search in the knowledge of a bot has used; null for what cost nothing. */
export interface PaidSearch {
  readonly embedding: PaidTokens | null;
  readonly reranking: PaidReranking | null;
}

/** What a reply needs of its bot beside the prompt. */
export interface BotFacts extends PaidSearch {
  /** Of the configuration; null from a replica of an earlier release. */
  readonly version: number | null;
  /** Of the chunks, in their order. */
  readonly chunkIds: readonly string[];
  /** Null if answers are not checked. */
  readonly guardrail: GuardrailSettings | null;
  /** IDs of the models that may answer; empty for all. */
  readonly activeModels: readonly string[];
  readonly tools: readonly ToolOfBot[];
  /** The user who owns the bot, and the one who last changed its tools, instruction or knowledge; null from a replica of an earlier release. */
  readonly ownerId: string | null;
  readonly configuredBy: string | null;
}

/** The part of a prompt that the bots service decides. */
export type FromBot = Omit<Prompt, 'turns'> & { readonly bot: BotFacts | null };

/** As the bots service answers it. Replicas of an older release leave out what is optional. */
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
  readonly configured_by?: string;
}

/** The answer of the bots service, within its limits and with defaults for what a replica of an earlier release leaves out. */
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
    },
  };
}

function parametersOf({ generation_params: given }: Retrieved): GenerationParameters {
  if (!given) return DEFAULT_PARAMETERS;
  const { max_tokens, temperature, top_p, top_k, stop_sequences, reasoning_budget_tokens } = given;
  return {
    maxTokens: max_tokens,
    temperature,
    topP: top_p,
    topK: top_k,
    stopSequences: stop_sequences,
    reasoningTokens: reasoning_budget_tokens,
  };
}

function guardrailOf({ bedrock_guardrails: given, guardrail_blocked_text: blockedText = '' }: Retrieved): GuardrailSettings | null {
  if (!given?.is_guardrail_enabled) return null;
  const { guardrail_arn: arn, guardrail_version: version, grounding_threshold, relevance_threshold } = given;
  return {
    arn: arn.startsWith('arn:') ? arn : null,
    version,
    groundingThreshold: grounding_threshold,
    relevanceThreshold: relevance_threshold,
    blockedText,
  };
}

/** Ranks are given anew, so that each marker has its chunk. */
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
