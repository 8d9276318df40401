import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { eraseEach, Erasing, type Removed } from '@parlance/foundation';
import { ContentErasedOf, ConversationsOf } from '../projections/content-of-user.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';

/**
 * Erases a user's conversations. Their cost stays in the log, and in the services that have received it. Each step is small, and
 * may be repeated after a crash or taken by two processes at once.
 */
@Injectable()
export class EraseConversationsWhenUserErased extends Erasing {
  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    // A command is answered when its rows are gone, so each look finds others, until there are none.
    await eraseEach(
      () => this.queries.execute(new ConversationsOf(userId)),
      (id) => this.removal.erase(id, userId),
    );
    const { conversations, messages } = await this.queries.execute(new ContentErasedOf(userId));
    return { conversations, messages };
  }
}
