import type { ToolDefinition } from '@parlance/tools';

/** Tokens of one call. `inputTokens` includes cached input. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /**
   * The part of `cacheWriteTokens` that the provider caches for an hour; the rest is cached for five minutes. Absent if the provider does not
   * report it.
   */
  readonly cacheWriteHourTokens?: number;
  /** Counted by Parlance, because the provider reported nothing. */
  readonly estimated: boolean;
  /** Reported by the provider, but more than the call can plausibly use. */
  readonly suspicious?: true;
}

/** An image or a document that accompanies the text of a turn. */
export interface TurnFile {
  readonly mediaType: string;
  readonly name: string | null;
  /** Empty if the file itself is left out, because the prompt has no room for it or no model of the reply accepts it. */
  readonly bytes: Uint8Array;
  /** The text that was read from it, for a model that does not accept the file itself. */
  readonly text?: string;
}

/** A model's request to call a tool. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The result of a tool call. */
export interface ToolOutcome {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface Turn {
  /** `tool`: the results of the previous turn's calls. Its text is empty. */
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly files?: readonly TurnFile[];
  /** Calls of the assistant. Each has its result in the next turn. */
  readonly calls?: readonly ToolCall[];
  /** Results, with the role `tool`. */
  readonly results?: readonly ToolOutcome[];
}

/** A piece of a bot's knowledge that was found for a question. Its fields have the names of the API, which returns it unchanged. */
export interface Chunk {
  readonly content: string;
  readonly content_type: 'text';
  /** The URL of a web page or an S3 object, or the name of a file. */
  readonly source: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  /** The rank, from 1 for the best. The marker [^1] refers to it. */
  readonly rank: number;
  readonly score: number;
}

/** The results of searching a bot's knowledge for a question. */
export interface Knowledge {
  /** Ordered by rank. Empty if nothing was found. */
  readonly chunks: readonly Chunk[];
  /** Whether the reply cites its sources with a marker [^rank] after each statement. */
  readonly showsSources: boolean;
}

/** Null leaves a parameter to the provider. */
export interface GenerationParameters {
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly topK: number | null;
  readonly stopSequences: readonly string[];
  /** Tokens that the model may use for reasoning before it answers. Null means no reasoning. */
  readonly reasoningTokens: number | null;
}

export const DEFAULT_PARAMETERS: GenerationParameters = {
  maxTokens: null,
  temperature: null,
  topP: null,
  topK: null,
  stopSequences: [],
  reasoningTokens: null,
};

export interface Prompt {
  /** Oldest first. The last turn is the question, the beginning of an answer to continue, or tool results. */
  readonly turns: readonly Turn[];
  /** The bot's instruction. Empty without one. */
  readonly instruction: string;
  /** Null if there is no bot, or the bot has no knowledge. */
  readonly knowledge: Knowledge | null;
  readonly parameters: GenerationParameters;
  /** Whether the provider may cache the beginning of the prompt for later calls. */
  readonly isCached: boolean;
  /** The tools that the model may call. */
  readonly tools?: readonly ToolDefinition[];
  /** What the model may know about the user. Absent or empty if nothing. */
  readonly memory?: readonly string[];
}

/** `tool_calls`: the model waits for the results of its calls. */
export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'content_filtered' | 'tool_calls';

/** The output of a model, in order. The last one is `end`. */
export type Produced =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `fault`: the input is not a JSON object or is too long, so `input` is empty. The text explains this to the model. */
  | ({ readonly type: 'tool_call'; readonly fault: string | null } & ToolCall)
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** The provider's ID of the call. Null if the provider sends none. */
      readonly requestId: string | null;
      /** The provider's name of the model that answered. Absent if the provider does not send it. */
      readonly model?: string;
    };

/** One language model of one provider. */
export abstract class ChatModel {
  /** Loads what the first call needs, so that no user waits for it. */
  prepare?(): Promise<void>;

  /**
   * Throws if the model gives no answer or stops before the end. The message is shown to the user, so it contains no host name and no key. If the
   * signal is aborted, the request to the provider ends and the signal's reason is thrown.
   */
  abstract generate(prompt: Prompt, signal: AbortSignal): AsyncIterable<Produced>;
}
