import type { Usage } from '../domain/conversation.ts';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface Generated {
  readonly text: string;
  readonly usage: Usage;
}

/** A model that can answer, wherever it runs. One adapter a provider. */
export abstract class ChatModel {
  /** Rejects when no answer can be had; the reason is shown to the user, so it names no host and no key. */
  abstract generate(turns: readonly Turn[], signal: AbortSignal): Promise<Generated>;
}
