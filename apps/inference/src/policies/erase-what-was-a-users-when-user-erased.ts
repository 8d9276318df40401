import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Vault } from '@parlance/privacy';
import { Erasing, type Removed } from '@parlance/service-kit';
import { conversationSubject, ExecuteConversation } from '../commands/conversation.ts';
import { ContentErasedOf, ConversationsOf, MessagesLeft } from '../projections/content-of-user.ts';

/**
 * Conversations go with their user. What they cost stays in the log, and with the services that were told of it. Each step is small, and
 * may be repeated after a crash or taken by two processes at once.
 */
@Injectable()
export class EraseWhatWasAUsersWhenUserErased extends Erasing {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    // A command is answered when its rows are gone, so each look finds others, until there are none.
    let erased: ReadonlySet<string> = new Set();
    for (;;) {
      const ids = await this.queries.execute(new ConversationsOf(userId));
      if (ids.length === 0) break;
      if (ids.some((id) => erased.has(id))) throw stuck();
      for (const id of ids) await this.eraseConversation(id, userId);
      erased = new Set(ids);
    }
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
      if (!written && first === lowest) throw stuck();
      lowest = first;
      isBegun = true;
    }
  }
}

/** The rows still show what the log has removed, or lack what is to be removed: their projection stands still. */
const stuck = () => refuse('unavailable', 'erasure_incomplete', 'The read model of messages is behind. The erasure is continued later.');
