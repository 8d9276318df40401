import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import { closedApi, closedApiStream } from '../../domain/closed-api.ts';
import { conversationNotFound, messageNotFound } from '../../domain/conversation-refusals.ts';
import { ConversationOf } from '../../projections/conversations.ts';
import { HeldMessage, type MessageInConversation } from '../../projections/messages/message-by-id.ts';
import { RemovedPublications } from '../../workflows/holds/removed-publications.ts';
import { heldBy } from '../caller-as-holder.ts';
import { type AcceptedReply, type AskedReply, ReplyAcceptance } from '../replies/reply-acceptance.ts';

/** What a program asks a published bot for. */
export type AskedOfBot = Omit<AskedReply, 'botId'>;

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
   * Throws the refusals of `POST /conversation`, and `conversation_not_found` (missing) for a conversation that does not belong to the
   * called API, and `not_published` (missing) if the publication was removed meanwhile. The owner of the bot pays.
   */
  async accept(caller: Caller, asked: AskedOfBot): Promise<AcceptedReply> {
    const accepted = await this.acceptance.accept(caller, { ...asked, botId: calledBot(caller) });
    await this.requireOpen(caller, accepted.conversationId);
    return accepted;
  }

  /**
   * The conversations of an API are deleted after its end is recorded. One that is begun later is deleted here, because nothing else would find it.
   */
  private async requireOpen(caller: Caller, conversationId: string): Promise<void> {
    const { isClosed } = await this.streams.load(closedApi, closedApiStream(caller.api!.apiId));
    if (!isClosed) return;
    const holder = { userId: caller.userId, apiId: caller.api!.apiId };
    if (!(await this.removed.delete(conversationId, holder))) await this.removed.postpone(holder);
    throw refuse('missing', 'not_published', 'There is no published API at this address.');
  }

  /** Throws `conversation_not_found` (missing) unless the called API has this conversation. */
  async requireConversation(caller: Caller, conversationId: string): Promise<void> {
    if (!(await this.queries.execute(new ConversationOf(conversationId, heldBy(caller))))) throw conversationNotFound();
  }

  /** A message or a reply of the called API. Throws `message_not_found` (missing). */
  async message(caller: Caller, conversationId: string, messageId: string): Promise<MessageInConversation> {
    const found = await this.find(caller, conversationId, messageId);
    if (!found) throw messageNotFound();
    return found;
  }

  /** The same; null for a message that is not there. */
  find(caller: Caller, conversationId: string, messageId: string): Promise<MessageInConversation | null> {
    return this.queries.execute(new HeldMessage(conversationId, messageId, heldBy(caller)));
  }
}

/** The published bot of this caller. Routes that are `@Published()` have no other callers. */
export function calledBot({ api }: Caller): string {
  if (!api) throw new Error('the caller is no program with the key of a published bot');
  return api.botId;
}
