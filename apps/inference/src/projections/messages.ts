import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { add, type Change, patch, projection, put, remove, table } from '@parlance/read-models';
import { z } from 'zod';
import type { ConversationEvent } from '../domain/conversation.ts';

/** A message or a reply. The content stays sealed here; it is opened when its owner is answered. */
export const MessageRow = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  user_id: z.string(),
  role: z.enum(['user', 'assistant']),
  status: z.enum(['processing', 'completed', 'failed']),
  model: z.string(),
  parent: z.string().nullable(),
  content: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  submitted_at: z.custom<Instant>(),
});
export type MessageRow = z.infer<typeof MessageRow>;

export interface ConversationRow {
  conversation_id: string;
  user_id: string;
  bot_id: string | null;
  started_at: Instant;
}

/** A reply that is owed, and from when on any process may take it: the end of the lease, or the moment of the message where none claimed it. */
export interface OwedReplyRow {
  conversation_id: string;
  reply_id: string;
  lease_until: number;
}

/** What was removed of an erased user, for the receipt. */
export interface ErasedContentRow {
  user_id: string;
  conversations: number;
  messages: number;
}

export const messageRows = table<MessageRow>('messages');
export const conversationRows = table<ConversationRow>('conversations', { byUser: ['user_id'] });
export const owedReplyRows = table<OwedReplyRow>('owed_replies', { byLease: ['lease_until'] });
export const erasedContentRows = table<ErasedContentRow>('erased_content');

/** Comes after every message id. */
const LAST_ID = '~';

export const messageKey = (conversationId: string, messageId: string) => `${conversationId}/${messageId}`;

/** All of a conversation's messages, by their ids. */
export const messagesOf = (conversationId: string) =>
  ({ index: 'key', from: messageKey(conversationId, ''), to: messageKey(conversationId, LAST_ID) }) as const;

export const messages = projection<ConversationEvent>({
  name: 'messages',
  version: 3,
  tables: [messageRows, conversationRows, owedReplyRows, erasedContentRows],
  on: {
    ConversationStarted: (event, { stream, metadata }) => [
      put(conversationRows, idInStream(stream), {
        conversation_id: idInStream(stream),
        user_id: event.userId,
        bot_id: event.botId,
        started_at: metadata.at,
      }),
    ],
    MessageSubmitted: (event, { stream, metadata }) => {
      const conversationId = idInStream(stream);
      const both = { conversation_id: conversationId, user_id: event.userId, model: event.model, error: null, submitted_at: metadata.at };
      return [
        put(messageRows, messageKey(conversationId, event.messageId), {
          ...both,
          message_id: event.messageId,
          role: 'user',
          status: 'completed',
          parent: event.parentId,
          content: event.content,
        }),
        put(messageRows, messageKey(conversationId, event.replyId), {
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
          lease_until: metadata.at,
        }),
      ];
    },
    ReplyClaimed: (event) => [patch(owedReplyRows, event.replyId, { lease_until: event.leaseUntil })],
    ReplyCompleted: (event, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), event.replyId), { status: 'completed', content: event.content }),
      remove(owedReplyRows, event.replyId),
    ],
    ReplyFailed: (event, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), event.replyId), {
        status: 'failed',
        error: { code: event.code, message: event.reason },
      }),
      remove(owedReplyRows, event.replyId),
    ],
    MessagesRemoved: ({ userId, messageIds }, { stream }) => [
      ...withoutMessages(stream, messageIds),
      add(erasedContentRows, userId, { conversations: 0, messages: messageIds.length }, { user_id: userId }),
    ],
    // The conversation's row goes last: as long as it is there, an erasure that broke off is found and continued.
    ConversationErased: ({ userId, messageIds = [] }, { stream }) => [
      remove(conversationRows, idInStream(stream)),
      ...withoutMessages(stream, messageIds),
      add(erasedContentRows, userId, { conversations: 1, messages: messageIds.length }, { user_id: userId }),
    ],
  },
});

function withoutMessages(stream: string, messageIds: readonly string[]): Change[] {
  return messageIds.flatMap((id) => [remove(messageRows, messageKey(idInStream(stream), id)), remove(owedReplyRows, id)]);
}

export interface MessageInConversation {
  readonly message: MessageRow;
  readonly conversation: ConversationRow;
}

export const MessageById = query(
  'MessageById',
  async (models, conversationId: string, messageId: string): Promise<MessageInConversation | null> => {
    const [message, conversation] = await Promise.all([
      models.get(messageRows, messageKey(conversationId, messageId)),
      models.get(conversationRows, conversationId),
    ]);
    return message && conversation ? { message, conversation } : null;
  },
);
