import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Vault } from '@parlance/privacy';
import { Erasing, type Removed } from '@parlance/service-kit';
import { ExecuteConversation } from '../commands/conversation.ts';
import { ContentErasedOf, ConversationsOf } from '../projections/content-of-user.ts';
import { conversationSubject } from './reply-writer.ts';

/** Conversations go with their user. What they cost stays in the log, and with those who were told of it. */
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
    for (let ids = await this.conversationsOf(userId); ids.length > 0; ids = await this.conversationsOf(userId)) {
      for (const id of ids) await this.eraseConversation(id, userId);
    }
    const { conversations, messages } = await this.queries.execute(new ContentErasedOf(userId));
    return { conversations, messages };
  }

  private async eraseConversation(id: string, userId: string): Promise<void> {
    // The key first: when this breaks off in between, the conversation is found again.
    await this.vault.shred(conversationSubject(id, userId).id);
    await this.commands.execute(new ExecuteConversation(id, { type: 'Erase', userId }));
  }

  private conversationsOf(userId: string) {
    return this.queries.execute(new ConversationsOf(userId));
  }
}
