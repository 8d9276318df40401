import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { onHold } from '@parlance/decider';
import { erasureIncomplete, LOGGER } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import type { Logger } from 'pino';
import { MessageFiles } from '../adapters/files/message-files.ts';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import type { ConversationOwner } from '../domain/conversation-owner.ts';
import { isOnHold } from '../domain/conversation-refusals.ts';
import { isClosed } from '../domain/conversation-state.ts';
import { type ListedConversationRow, temporaryListOf } from '../projections/conversation-list.ts';
import { MessagesLeft } from '../projections/content-of-user.ts';
import { DeletionsOf, type ListedConversation, OwnConversations, cursorAfter } from '../projections/conversations.ts';
import { HoldsOnConversations } from './holds/holds-on-conversations.ts';
import { LiveReplies } from './live-replies.ts';
import { MemoryChanges } from './memory/memory-changes.ts';
import { ConversationShares } from './shares/conversation-shares.ts';

/** One request deletes conversations for at most this long. The client repeats the request to delete the rest. */
const DELETING_MILLIS = 15_000;
/** One request stops after this many conversations that could not be deleted. */
const MOST_FAILED = 100;
/** Conversations deleted concurrently, so that the stores can batch the writes of their keys and events. */
export const DELETED_AT_ONCE = 8;

type PageOfOwn = { readonly conversations: readonly ListedConversation[] };

interface DeleteOptions {
  readonly ifMatch?: string | undefined;
  /** Whether the refusal may name a hold. */
  readonly forAdmin?: boolean;
}

export interface Deleted {
  readonly conversations: number;
  readonly messages: number;
  /** Conversations that a hold on their bot keeps. */
  readonly onHold: number;
  /** Conversations that could not be deleted because of a fault. */
  readonly failed: readonly string[];
  readonly isComplete: boolean;
}

/**
 * Removes the content of conversations: first the key, then the shares, then the entries that its models have added to
 * the memory of its user, then the files, then the rows in small steps. Each step may be
 * repeated after a crash or run in two processes at once.
 */
@Injectable()
export class ConversationRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly files: MessageFiles,
    private readonly live: LiveReplies,
    private readonly shares: ConversationShares,
    private readonly holds: HoldsOnConversations,
    private readonly memory: MemoryChanges,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Deletes the owner's conversation. The deletion is recorded first: from then on the conversation is not found, and its removal continues
   * after a crash. Returns how many messages and replies it had. Rejects with `conversation_not_found` (missing), and with `on_hold` (conflict).
   */
  async delete(id: string, owner: ConversationOwner, { ifMatch, forAdmin = false }: DeleteOptions = {}): Promise<number> {
    const command = { type: 'Delete', ...owner, holds: await this.holds.of(id), forAdmin } as const;
    const { state } = await this.commands.execute(new ExecuteConversation(id, command, { ifMatch }));
    await this.erase(id, owner.userId);
    return state.deleted ?? state.messages;
  }

  /**
   * Deletes a user's own conversations, the newest first, until none is left or the time for one request is over. Also finishes deletions of an
   * earlier request, without counting them: that request may still be running. Skips conversations with a hold on their bot, and those that cannot be
   * deleted, such as one whose events are damaged. Rejects with `on_hold` (conflict), before it deletes anything, if there is a hold on the user.
   */
  async deleteAll(userId: string, forAdmin = false): Promise<Deleted> {
    const end = performance.now() + DELETING_MILLIS;
    const holds = await this.holds.on('user', userId);
    if (holds.length > 0) throw onHold(holds, forAdmin);
    let [conversations, messages, kept] = [0, 0, 0];
    const failed = new Set<string>();
    const removed = (isComplete: boolean) => ({ conversations, messages, onHold: kept, failed: [...failed], isComplete });
    for (const list of [userId, temporaryListOf(userId)]) {
      for (let after: Cursor | null = null; ;) {
        const page: PageOfOwn = await this.queries.execute(new OwnConversations(list, DELETED_AT_ONCE, after));
        const last = page.conversations.at(-1);
        if (!last) break;
        if (performance.now() > end || failed.size >= MOST_FAILED) return removed(false);
        const ends = await Promise.all(
          page.conversations.map(({ row: { conversation_id: id } }) => this.attempt(id, failed, () => this.deleteUnlessHeld(id, userId))),
        );
        const done = ends.filter((each) => typeof each === 'number');
        conversations += done.length;
        messages += done.reduce((sum, each) => sum + each, 0);
        kept += ends.filter((each) => each === null).length;
        // Deleted ones leave the list, so it is read again from the same cursor.
        if (done.length < ends.length) after = cursorAfter(last.row);
      }
    }
    for (;;) {
      const begun = await this.queries.execute(new DeletionsOf(userId));
      const left = begun.filter(({ conversation_id }) => !failed.has(conversation_id));
      if (left.length === 0) return removed(true);
      if (performance.now() > end) return removed(false);
      for (const { conversation_id: id } of left) await this.attempt(id, failed, () => this.erase(id, userId));
    }
  }

  /** Notes a conversation that cannot be deleted. Rejects if the others would fail as well. */
  private async attempt<Result>(id: string, failed: Set<string>, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isTransient(error)) throw error;
      failed.add(id);
      this.log.error({ err: error, conversation: id }, 'a conversation could not be deleted');
      return undefined;
    }
  }

  /** Null if a hold keeps the conversation. */
  private async deleteUnlessHeld(id: string, userId: string): Promise<number | null> {
    try {
      return await this.delete(id, { userId });
    } catch (error) {
      if (isOnHold(error)) return null;
      throw error;
    }
  }

  /**
   * Deletes an expired temporary conversation, unless it has a newer message by now or a hold keeps it. Rejects with `conversation_not_found`
   * (missing) when it no longer exists.
   */
  async expire(id: string, userId: string, lastMessageId: string): Promise<void> {
    const { state } = await this.commands.execute(
      new ExecuteConversation(id, { type: 'Expire', lastMessageId, holds: await this.holds.of(id) }),
    );
    if (isClosed(state)) await this.erase(id, userId);
  }

  /**
   * Deletes a conversation by a retention rule. Does nothing if a hold keeps it, or if it is already being deleted. Rejects with
   * `conversation_not_found` (missing) when it no longer exists.
   */
  async expireBy(ruleId: string, row: ListedConversationRow): Promise<void> {
    const { conversation_id: id, user_id: userId, bot_id: botId, last_message_id: lastMessageId } = row;
    const command = { type: 'Expire', lastMessageId, ruleId, holds: await this.holds.onEither(userId, botId) } as const;
    const { written } = await this.commands.execute(new ExecuteConversation(id, command));
    if (written) await this.erase(id, userId);
  }

  /** Also continues an interrupted erasure. Rejects with `erasure_incomplete` (unavailable) when the read model is not up to date. */
  async erase(id: string, userId: string): Promise<void> {
    // The key comes first: if this is interrupted, the conversation is found again.
    await this.vault.shred(conversationSubject(id, userId).id);
    await this.shares.endSharesOf(id, userId);
    await this.memory.removeOfConversation(id, userId);
    // Before the last row, because an interrupted erasure is found by its rows.
    await this.files.removeAll(id);
    let lowest: string | null | undefined;
    for (let isBegun = false; ;) {
      const left = await this.queries.execute(new MessagesLeft(id));
      const messageIds = left.map((message) => message.id);
      const files = Object.fromEntries(left.filter((message) => message.files > 0).map((message) => [message.id, message.files]));
      const step = { type: 'Erase', userId, messageIds, files, isBegun } as const;
      const { state, written } = await this.commands.execute(new ExecuteConversation(id, step));
      if (!isBegun) this.live.stopRepliesOf(id);
      if (state.erased) return;
      const first = messageIds[0] ?? null;
      // The rows still include removed messages, or lack remaining ones: the projection has stopped.
      if (!written && first === lowest) throw erasureIncomplete();
      lowest = first;
      isBegun = true;
    }
  }
}
