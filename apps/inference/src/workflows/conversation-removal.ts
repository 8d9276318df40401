import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { erasureIncomplete } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import { MessagesLeft } from '../projections/content-of-user.ts';
import { OwnConversations } from '../projections/conversations.ts';

/** How long one request deletes conversations. Later ones are left for a repeat of the request. */
const DELETING_MILLIS = 15_000;
/** Conversations that one request deletes at the same time: the stores write their keys and events together. */
const DELETED_AT_ONCE = 8;

export interface Deleted {
  readonly conversations: number;
  readonly messages: number;
  readonly isComplete: boolean;
}

/**
 * Removes the content of conversations: first the key, then the rows in small steps. Each step may be repeated after a crash or taken by
 * two processes at once.
 */
@Injectable()
export class ConversationRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /**
   * For the user of the conversation. The deletion is recorded first: from then on the conversation is not found, and its removal is
   * continued after a crash. Answers how many messages and replies it had. Rejects with `conversation_not_found` (missing).
   */
  async delete(id: string, userId: string, ifMatch?: string): Promise<number> {
    const { state } = await this.commands.execute(new ExecuteConversation(id, { type: 'Delete', userId }, { ifMatch }));
    await this.erase(id, userId);
    return state.deleted ?? state.messages;
  }

  /** Deletes a user's conversations, the newest first, until none is left or the time for one request is over. */
  async deleteAll(userId: string): Promise<Deleted> {
    const end = performance.now() + DELETING_MILLIS;
    let [conversations, messages] = [0, 0];
    for (;;) {
      const page = await this.queries.execute(new OwnConversations(userId, DELETED_AT_ONCE, null));
      const isComplete = page.conversations.length === 0;
      if (isComplete || performance.now() > end) return { conversations, messages, isComplete };
      const removed = await Promise.all(page.conversations.map(({ row }) => this.delete(row.conversation_id, userId)));
      conversations += removed.length;
      messages += removed.reduce((sum, each) => sum + each, 0);
    }
  }

  /** Also continues an erasure that broke off. Rejects with `erasure_incomplete` (unavailable) when the rows are behind. */
  async erase(id: string, userId: string): Promise<void> {
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
