import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Vault } from '@parlance/privacy';
import { eraseEach, Erasing, erasureIncomplete, type Removed } from '@parlance/foundation';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import { ContentErasedOf, ConversationsOf, MessagesLeft } from '../projections/content-of-user.ts';

/**
 * Erases a user's conversations. Their cost stays in the log, and in the services that have received it. Each step is small, and
 * may be repeated after a crash or taken by two processes at once.
 */
@Injectable()
export class EraseConversationsWhenUserErased extends Erasing {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    // A command is answered when its rows are gone, so each look finds others, until there are none.
    await eraseEach(
      () => this.queries.execute(new ConversationsOf(userId)),
      (id) => this.eraseConversation(id, userId),
    );
    const { conversations, messages } = await this.queries.execute(new ContentErasedOf(userId));
    return { conversations, messages };
  }

  private async eraseConversation(id: string, userId: string): Promise<void> {
    // The key first: when this breaks off in between, the conversation is found again.
    await this.vault.shred(conversationSubject(id, userId).id);
    let lowest: string | null | undefined;
    for (let isBegun = false; ;) {
      const messageIds = await this.queries.execute(new MessagesLeft(id));
      const step = { type: 'Erase', userId, messageIds, isBegun } as const;
      const { state, written } = await this.commands.execute(new ExecuteConversation(id, step));
      if (state.erased) return;
      const first = messageIds[0] ?? null;
      // The rows still show removed messages, or lack remaining ones: their projection has stopped.
      if (!written && first === lowest) throw erasureIncomplete();
      lowest = first;
      isBegun = true;
    }
  }
}
