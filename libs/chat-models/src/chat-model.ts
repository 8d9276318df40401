import type { ToolDefinition } from '@parlance/tools';

/** Tokens of one call. `inputTokens` counts all input, cached input included. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that the provider keeps for an hour; absent where it reports none. It keeps the rest for five minutes. */
  readonly cacheWriteHourTokens?: number;
  /** Counted by Parlance, because the provider reported nothing. */
  readonly estimated: boolean;
  /** Reported by the provider, and more than the call seems able to use. */
  readonly suspicious?: true;
}

/** An image or a document that a turn has with its text. */
export interface TurnFile {
  readonly mediaType: string;
  readonly name: string | null;
  /** Empty where the file itself is not given, because the prompt has no room for it or no model of the reply takes it. */
  readonly bytes: Uint8Array;
  /** What was read from it, for a model that does not take the file itself. */
  readonly text?: string;
}

/** What a model asks a tool to do. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a tool answered. */
export interface ToolOutcome {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface Turn {
  /** `tool`: the results of the calls of the turn before. Its text is empty. */
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly files?: readonly TurnFile[];
  /** Of an assistant. Each call has its result in the next turn. */
  readonly calls?: readonly ToolCall[];
  /** Of the role `tool`. */
  readonly results?: readonly ToolOutcome[];
}

/** A piece of a bot's knowledge that was found for a question. Its fields have the names of the API, where it is answered unchanged. */
export interface Chunk {
  readonly content: string;
  readonly content_type: 'text';
  /** URL of a web page, URL of an S3 object, or name of a file. */
  readonly source: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  /** From 1, the best first. The marker [^1] refers to it. */
  readonly rank: number;
  readonly score: number;
}

/** What was found for a question in the knowledge of a bot. */
export interface Knowledge {
  /** In the order of their ranks; empty if nothing was found. */
  readonly chunks: readonly Chunk[];
  /** Whether the reply names its sources, with a marker [^rank] behind each statement. */
  readonly showsSources: boolean;
}

/** Null leaves a parameter to the provider. */
export interface GenerationParameters {
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly topK: number | null;
  readonly stopSequences: readonly string[];
  /** Tokens that the model may reason with before it answers; null: no reasoning. */
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
  /** Oldest first. The last one is the question, the beginning of the answer that is continued, or results of tools. */
  readonly turns: readonly Turn[];
  /** Of the bot; empty without one. */
  readonly instruction: string;
  /** Null if there is no bot, or the bot has no knowledge. */
  readonly knowledge: Knowledge | null;
  readonly parameters: GenerationParameters;
  /** Whether the provider may keep the beginning of the prompt for later calls. */
  readonly isCached: boolean;
  /** The tools that the model may call. */
  readonly tools?: readonly ToolDefinition[];
}

/** `tool_calls`: the model waits for the results of the calls that it has made. */
export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'content_filtered' | 'tool_calls';

/** What a model produces, in its order. The last one is `end`. */
export type Produced =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `fault`: the input is no JSON object, or too long, and `input` is empty. A sentence that tells the model so. */
  | ({ readonly type: 'tool_call'; readonly fault: string | null } & ToolCall)
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** The provider's ID of the call; null if it gave none. */
      readonly requestId: string | null;
      /** The model that has answered, as the provider names it; absent if it does not. */
      readonly model?: string;
    };

/** One language model of one provider. */
export abstract class ChatModel {
  /** Loads what the first call needs, so that no user waits for it. */
  prepare?(): Promise<void>;

  /**
   * Throws when the model gives no answer or breaks off. The message is shown to the user, so it names no host and no key. When the signal is
   * aborted, the request to the provider ends and the reason of the signal is thrown.
   */
  abstract generate(prompt: Prompt, signal: AbortSignal): AsyncIterable<Produced>;
}
