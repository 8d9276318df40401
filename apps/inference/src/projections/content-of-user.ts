import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@parlance/read-models';
import { MESSAGES_REMOVED_AT_ONCE } from '../domain/conversation.ts';
import { conversationRows, type ErasedContentRow, erasedContentRows, messageRows, messagesOf } from './messages.ts';

/** Sealed content that one step of an erasure removes. */
const BYTES_REMOVED_AT_ONCE = 1024 * 1024;

/** Some of a user's conversations, at most a thousand: their ids. */
export class ConversationsOf extends Query<readonly string[]> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(ConversationsOf)
export class FindConversationsOf implements IQueryHandler<ConversationsOf> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId }: ConversationsOf) {
    const { rows } = await this.models.find(conversationRows, { index: 'byUser', where: { user_id: userId }, limit: 1_000 });
    return rows.map((row) => row.conversation_id);
  }
}

/**
 * Ids of a conversation's messages and replies, the lowest first: as many as one step of an erasure removes. A page holds little content,
 * since the store takes time for each page of a row that it removes.
 */
export class MessagesLeft extends Query<readonly string[]> {
  constructor(readonly conversationId: string) {
    super();
  }
}

@QueryHandler(MessagesLeft)
export class FindMessagesLeft implements IQueryHandler<MessagesLeft> {
  constructor(private readonly models: ReadModels) {}

  async execute({ conversationId }: MessagesLeft) {
    const query = { ...messagesOf(conversationId), limit: MESSAGES_REMOVED_AT_ONCE, bytes: BYTES_REMOVED_AT_ONCE };
    const { rows } = await this.models.find(messageRows, query);
    return rows.map((row) => row.message_id);
  }
}

/** How much was removed of this user. */
export class ContentErasedOf extends Query<ErasedContentRow> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(ContentErasedOf)
export class CountContentErasedOf implements IQueryHandler<ContentErasedOf> {
  constructor(private readonly models: ReadModels) {}

  async execute({ userId }: ContentErasedOf) {
    return (await this.models.get(erasedContentRows, userId)) ?? { user_id: userId, conversations: 0, messages: 0 };
  }
}
