/** Tokens of one call. `inputTokens` counts all input, cached input included. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Counted by Parlance, because the provider reported nothing. */
  readonly estimated: boolean;
}

/** An image or a document that a turn has with its text. */
export interface TurnFile {
  readonly mediaType: string;
  readonly name: string | null;
  readonly bytes: Uint8Array;
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly files?: readonly TurnFile[];
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
  /** Oldest first. The last one is the question, or the beginning of the answer that is continued. */
  readonly turns: readonly Turn[];
  /** Of the bot; empty without one. */
  readonly instruction: string;
  /** Null if there is no bot, or the bot has no knowledge. */
  readonly knowledge: Knowledge | null;
  readonly parameters: GenerationParameters;
  /** Whether the provider may keep the beginning of the prompt for later calls. */
  readonly isCached: boolean;
}

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'content_filtered';

/** What a model produces, in its order. The last one is `end`. */
export type Produced =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** The provider's ID of the call; null if it gave none. */
      readonly requestId: string | null;
    };

/** One language model of one provider. */
export abstract class ChatModel {
  /**
   * Throws when the model gives no answer or breaks off. The message is shown to the user, so it names no host and no key. When the signal is
   * aborted, the request to the provider ends and the reason of the signal is thrown.
   */
  abstract generate(prompt: Prompt, signal: AbortSignal): AsyncIterable<Produced>;
}
