import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '@parlance/decider';
import { add, patch, projection, put, ReadModels, remove, table } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
import type { ConversationEvent } from '../domain/conversation.ts';

/** A message or a reply. The content stays sealed here; it is opened when its owner is answered. */
export interface MessageRow {
  conversation_id: string;
  message_id: string;
  user_id: string;
  role: 'user' | 'assistant';
  status: 'processing' | 'completed' | 'failed';
  model: string;
  parent: string | null;
  content: string | null;
  error: { code: string; message: string } | null;
  submitted_at: Instant;
}

export interface ConversationRow {
  conversation_id: string;
  user_id: string;
  bot_id: string | null;
  started_at: Instant;
}

/** A reply that is owed, and until when somebody is at work on it (0: nobody yet). */
export interface OwedReplyRow {
  conversation_id: string;
  reply_id: string;
  lease_until: number;
}

/** What went with a user who is erased: for the receipt, however often it is asked for. */
export interface ErasedContentRow {
  user_id: string;
  conversations: number;
  messages: number;
}

export const messageRows = table<MessageRow>('messages');
export const conversationRows = table<ConversationRow>('conversations', { byUser: ['user_id'] });
export const owedReplyRows = table<OwedReplyRow>('owed_replies', { byLease: ['lease_until'] });
export const erasedContentRows = table<ErasedContentRow>('erased_content');

const keyOf = (conversationId: string, messageId: string) => `${conversationId}/${messageId}`;

export const messages = projection<ConversationEvent>({
  name: 'messages',
  version: 2,
  tables: [messageRows, conversationRows, owedReplyRows, erasedContentRows],
  on: {
    ConversationStarted: (event, { stream, metadata }) => [
      put(conversationRows, idOf(stream), {
        conversation_id: idOf(stream),
        user_id: event.userId,
        bot_id: event.botId,
        started_at: metadata.at,
      }),
    ],
    MessageSubmitted: (event, { stream, metadata }) => {
      const conversationId = idOf(stream);
      const both = { conversation_id: conversationId, user_id: event.userId, model: event.model, error: null, submitted_at: metadata.at };
      return [
        put(messageRows, keyOf(conversationId, event.messageId), {
          ...both,
          message_id: event.messageId,
          role: 'user',
          status: 'completed',
          parent: event.parentId,
          content: event.content,
        }),
        put(messageRows, keyOf(conversationId, event.replyId), {
          ...both,
          message_id: event.replyId,
          role: 'assistant',
          status: 'processing',
          parent: event.messageId,
          content: null,
        }),
        put(owedReplyRows, event.replyId, {
          conversation_id: conversationId,
          reply_id: event.replyId,
          // A message that nobody claims is looked after like one whose worker is lost.
          lease_until: metadata.at + 5_000,
        }),
      ];
    },
    ReplyClaimed: (event) => [patch(owedReplyRows, event.replyId, { lease_until: event.leaseUntil })],
    ReplyCompleted: (event, { stream }) => [
      patch(messageRows, keyOf(idOf(stream), event.replyId), { status: 'completed', content: event.content }),
      remove(owedReplyRows, event.replyId),
    ],
    ReplyFailed: (event, { stream }) => [
      patch(messageRows, keyOf(idOf(stream), event.replyId), { status: 'failed', error: { code: event.code, message: event.reason } }),
      remove(owedReplyRows, event.replyId),
    ],
    ConversationErased: ({ userId, messageIds }, { stream }) => [
      remove(conversationRows, idOf(stream)),
      ...messageIds.flatMap((id) => [remove(messageRows, keyOf(idOf(stream), id)), remove(owedReplyRows, id)]),
      add(erasedContentRows, userId, { conversations: 1, messages: messageIds.length }, { user_id: userId }),
    ],
  },
});

export interface MessageInConversation {
  readonly message: MessageRow;
  readonly conversation: ConversationRow;
}

export class MessageById extends Query<MessageInConversation | null> {
  constructor(
    readonly conversationId: string,
    readonly messageId: string,
  ) {
    super();
  }
}

@QueryHandler(MessageById)
export class FindMessageById implements IQueryHandler<MessageById> {
  constructor(private readonly models: ReadModels) {}

  async execute({ conversationId, messageId }: MessageById) {
    const [message, conversation] = await Promise.all([
      this.models.get(messageRows, keyOf(conversationId, messageId)),
      this.models.get(conversationRows, conversationId),
    ]);
    return message && conversation ? { message, conversation } : null;
  }
}

/** Replies that are owed and that nobody is known to be at work on. */
export class AbandonedReplies extends Query<readonly OwedReplyRow[]> {
  constructor(readonly now: Instant) {
    super();
  }
}

@QueryHandler(AbandonedReplies)
export class FindAbandonedReplies implements IQueryHandler<AbandonedReplies> {
  constructor(private readonly models: ReadModels) {}

  async execute({ now }: AbandonedReplies) {
    return (await this.models.find(owedReplyRows, { index: 'byLease', to: now, limit: 100 })).rows;
  }
}
