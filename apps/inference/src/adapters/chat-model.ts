import type { Usage } from '../domain/conversation.ts';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
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

export interface Prompt {
  readonly turns: readonly Turn[];
  /** Of the bot; empty without one. */
  readonly instruction: string;
  /** Null if there is no bot, or the bot has no knowledge. */
  readonly knowledge: Knowledge | null;
}

export interface Generated {
  readonly text: string;
  readonly usage: Usage;
}

/** A language model. Each provider has an adapter. */
export abstract class ChatModel {
  /** Rejects when the model gives no answer. The reason is shown to the user, so it names no host and no key. */
  abstract generate(prompt: Prompt, signal: AbortSignal): Promise<Generated>;
}
