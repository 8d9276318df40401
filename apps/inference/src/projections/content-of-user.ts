import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@parlance/read-models';
import { conversationRows, type ErasedContentRow, erasedContentRows } from './messages.ts';

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

/** How much went with this user. */
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
