import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import { closedApi, closedApiStream } from '../../domain/closed-api.ts';
import { conversationNotFound, messageNotFound } from '../../domain/conversation-refusals.ts';
import { ConversationOf } from '../../projections/conversations.ts';
import { OwnedMessage, type MessageInConversation } from '../../projections/messages/message-by-id.ts';
import { RemovedPublications } from '../../workflows/holds/removed-publications.ts';
import { ownerKeyOf } from '../caller-as-owner.ts';
import { type AcceptedReply, type ReplyRequest, ReplyAcceptance } from '../replies/reply-acceptance.ts';

/** A program's request to a published bot for a reply. */
export type BotReplyRequest = Omit<ReplyRequest, 'botId'>;

/** Replies for programs that call a published bot. The conversations belong to the published API. */
@Injectable()
export class PublishedReplies {
  constructor(
    private readonly acceptance: ReplyAcceptance,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly removed: RemovedPublications,
  ) {}

  /**
   * Throws the refusals of `POST /conversation`, `conversation_not_found` (missing) for a conversation that does not belong to the called API,
   * and `not_published` (missing) if the publication was removed in the meantime. The owner of the bot pays.
   */
  async accept(caller: Caller, request: BotReplyRequest): Promise<AcceptedReply> {
    const accepted = await this.acceptance.accept(caller, { ...request, botId: calledBot(caller) });
    await this.requireOpen(caller, accepted.conversationId);
    return accepted;
  }

  /**
   * An API's conversations are deleted after its end is recorded. A conversation that starts later is deleted here, because nothing else would find it.
   */
  private async requireOpen(caller: Caller, conversationId: string): Promise<void> {
    const { isClosed } = await this.streams.load(closedApi, closedApiStream(caller.api!.apiId));
    if (!isClosed) return;
    const owner = { userId: caller.userId, apiId: caller.api!.apiId };
    if (!(await this.removed.delete(conversationId, owner))) await this.removed.postpone(owner);
    throw refuse('missing', 'not_published', 'There is no published API at this address.');
  }

  /** Throws `conversation_not_found` (missing) unless the conversation belongs to the called API. */
  async requireConversation(caller: Caller, conversationId: string): Promise<void> {
    if (!(await this.queries.execute(new ConversationOf(conversationId, ownerKeyOf(caller))))) throw conversationNotFound();
  }

  /** A message or a reply of the called API. Throws `message_not_found` (missing). */
  async message(caller: Caller, conversationId: string, messageId: string): Promise<MessageInConversation> {
    const found = await this.find(caller, conversationId, messageId);
    if (!found) throw messageNotFound();
    return found;
  }

  /** As `message`, but null if there is no such message. */
  find(caller: Caller, conversationId: string, messageId: string): Promise<MessageInConversation | null> {
    return this.queries.execute(new OwnedMessage(conversationId, messageId, ownerKeyOf(caller)));
  }
}

/** The published bot that this program calls. Routes with `@Published()` have no other callers. */
export function calledBot({ api }: Caller): string {
  if (!api) throw new Error('the caller is not a program with the key of a published bot');
  return api.botId;
}
