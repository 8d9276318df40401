import type { Conversation, ConversationDeletion, PostMessageBody } from './generated/api.ts';
import { Replies } from './replies.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { filled } from './typed-api.ts';

export interface PublishedBotOptions extends TransportOptions {
  /** The `endpoint` of the publication: `https://parlance.example.org/published/{api_id}/{stage}`. */
  readonly endpoint: string;
  readonly apiKey: string;
}

/** A message to a published bot. The endpoint identifies the bot. */
export type PublishedMessageBody = Omit<PostMessageBody, 'bot_id'>;

/** A published bot, for programs with an API key. */
export class PublishedBot extends Replies<PublishedMessageBody> {
  constructor({ endpoint, apiKey, ...options }: PublishedBotOptions) {
    super(new Transport(endpoint, { headers: async () => ({ 'x-api-key': apiKey }), refused: async () => false }, options));
  }

  /** A conversation started through this publication: its newest messages, and older ones by `next_token`. */
  async conversation(conversationId: string, { signal, ...query }: PageOptions = {}): Promise<Conversation> {
    const answer = await this.transport.send({ method: 'GET', path: conversationPath(conversationId), query, signal });
    return (await answer.json()) as Conversation;
  }

  /** Removes a conversation with its content. */
  async delete(conversationId: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ConversationDeletion> {
    const answer = await this.transport.send({ method: 'DELETE', path: conversationPath(conversationId), signal });
    return (await answer.json()) as ConversationDeletion;
  }
}

interface PageOptions {
  readonly limit?: number;
  readonly next_token?: string;
  readonly signal?: AbortSignal;
}

const conversationPath = (conversationId: string): string => filled('/conversation/{conversationId}', { conversationId });
