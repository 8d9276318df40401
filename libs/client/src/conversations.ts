import type {
  Conversation,
  ConversationDeletion,
  ConversationDeletions,
  ConversationSummary,
  DecidedCall,
  FeedbackBody,
  FoundConversation,
  MessageFeedback,
  PostMessageBody,
} from './generated/api.ts';
import { Replies } from './replies.ts';
import type { Transport } from './transport.ts';
import { TypedApi } from './typed-api.ts';

/** The conversations of the signed-in user. */
export class Conversations extends Replies<PostMessageBody> {
  private readonly api: TypedApi;

  constructor(transport: Transport) {
    super(transport);
    this.api = new TypedApi(transport);
  }

  /** The newest messages of a conversation, and its message map. */
  get(conversationId: string, query: { limit?: number; next_token?: string } = {}): Promise<Conversation> {
    return this.api.get('/conversation/{conversationId}', { path: { conversationId }, query });
  }

  list(): AsyncGenerator<ConversationSummary, void, undefined> {
    return this.api.list('/conversations');
  }

  search(query: string): AsyncGenerator<FoundConversation, void, undefined> {
    return this.api.list('/conversations/search', { query: { query } });
  }

  setTitle(conversationId: string, title: string): Promise<ConversationSummary> {
    return this.api.patch('/conversation/{conversationId}/title', { path: { conversationId }, body: { title } });
  }

  async proposedTitle(conversationId: string): Promise<string> {
    return (await this.api.get('/conversation/{conversationId}/proposed-title', { path: { conversationId } })).title;
  }

  /** Stops a reply. What was produced is stored and charged. */
  async cancel(conversationId: string, messageId: string): Promise<void> {
    await this.api.post('/conversation/{conversationId}/{messageId}/cancel', { path: { conversationId, messageId } });
  }

  /** Approves or denies a tool call that a reply waits for. */
  decide(conversationId: string, messageId: string, callId: string, approve: boolean): Promise<DecidedCall> {
    const path = { conversationId, messageId, callId };
    return this.api.post('/conversation/{conversationId}/{messageId}/tool-calls/{callId}', { path, body: { approve } });
  }

  rate(conversationId: string, messageId: string, feedback: FeedbackBody): Promise<MessageFeedback> {
    return this.api.put('/conversation/{conversationId}/{messageId}/feedback', { path: { conversationId, messageId }, body: feedback });
  }

  delete(conversationId: string): Promise<ConversationDeletion> {
    return this.api.delete('/conversation/{conversationId}', { path: { conversationId } });
  }

  /** Deletes all conversations of the user. Call it again while `is_complete` is false. */
  deleteAll(): Promise<ConversationDeletions> {
    return this.api.delete('/conversations');
  }
}
