import type { Usage } from '../domain/conversation.ts';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface Generated {
  readonly text: string;
  readonly usage: Usage;
}

/** A language model. Each provider has an adapter. */
export abstract class ChatModel {
  /** Rejects when the model gives no answer. The reason is shown to the user, so it names no host and no key. */
  abstract generate(turns: readonly Turn[], signal: AbortSignal): Promise<Generated>;
}
