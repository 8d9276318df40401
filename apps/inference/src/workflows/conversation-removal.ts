import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { erasureIncomplete } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { MessageFiles } from '../adapters/files/message-files.ts';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import type { Holder } from '../domain/conversation-holder.ts';
import { MessagesLeft } from '../projections/content-of-user.ts';
import { DeletionsOf, OwnConversations } from '../projections/conversations.ts';
import { LiveReplies } from './live-replies.ts';

/** How long one request deletes conversations. Later ones are left for a repeat of the request. */
const DELETING_MILLIS = 15_000;
/** Conversations that are deleted at the same time: the stores write their keys and events together. */
export const DELETED_AT_ONCE = 8;

export interface Deleted {
  readonly conversations: number;
  readonly messages: number;
  readonly isComplete: boolean;
}

/**
 * Removes the content of conversations: first the key, then the files, then the rows in small steps. Each step may be repeated after a crash or taken by
 * two processes at once.
 */
@Injectable()
export class ConversationRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly files: MessageFiles,
    private readonly live: LiveReplies,
  ) {}

  /**
   * For the holder of the conversation. The deletion is recorded first: from then on the conversation is not found, and its removal is
   * continued after a crash. Answers how many messages and replies it had. Rejects with `conversation_not_found` (missing).
   */
  async delete(id: string, holder: Holder, ifMatch?: string): Promise<number> {
    const { state } = await this.commands.execute(new ExecuteConversation(id, { type: 'Delete', ...holder }, { ifMatch }));
    await this.erase(id, holder.userId);
    return state.deleted ?? state.messages;
  }

  /**
   * Deletes a user's own conversations, the newest first, until none is left or the time for one request is over. Also ends the deletions of a
   * request that broke off, without counting them: that request may still be under way.
   */
  async deleteAll(userId: string): Promise<Deleted> {
    const end = performance.now() + DELETING_MILLIS;
    let [conversations, messages] = [0, 0];
    for (;;) {
      const page = await this.queries.execute(new OwnConversations(userId, DELETED_AT_ONCE, null));
      const begun = page.conversations.length > 0 ? [] : await this.queries.execute(new DeletionsOf(userId));
      const isComplete = page.conversations.length === 0 && begun.length === 0;
      if (isComplete || performance.now() > end) return { conversations, messages, isComplete };
      for (const { conversation_id } of begun) await this.erase(conversation_id, userId);
      const removed = await Promise.all(page.conversations.map(({ row }) => this.delete(row.conversation_id, { userId })));
      conversations += removed.length;
      messages += removed.reduce((sum, each) => sum + each, 0);
    }
  }

  /** Also continues an erasure that broke off. Rejects with `erasure_incomplete` (unavailable) when the rows are behind. */
  async erase(id: string, userId: string): Promise<void> {
    // The key first: when this breaks off in between, the conversation is found again.
    await this.vault.shred(conversationSubject(id, userId).id);
    // Before the last row, by which an erasure that broke off is found.
    await this.files.removeAll(id);
    let lowest: string | null | undefined;
    for (let isBegun = false; ;) {
      const left = await this.queries.execute(new MessagesLeft(id));
      const messageIds = left.map((message) => message.id);
      const files = Object.fromEntries(left.filter((message) => message.files > 0).map((message) => [message.id, message.files]));
      const step = { type: 'Erase', userId, messageIds, files, isBegun } as const;
      const { state, written } = await this.commands.execute(new ExecuteConversation(id, step));
      if (!isBegun) this.live.loseThoseOf(id);
      if (state.erased) return;
      const first = messageIds[0] ?? null;
      // The rows still show removed messages, or lack remaining ones: their projection has stopped.
      if (!written && first === lowest) throw erasureIncomplete();
      lowest = first;
      isBegun = true;
    }
  }
}
