import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Caller, etagOf, type PageQuery, PageTokens } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import { VersionOf } from '../commands/version-of.ts';
import { conversationNotFound } from '../domain/conversation-refusals.ts';
import { isTemporary } from '../projections/conversation-list.ts';
import { ConversationOf, type ListedConversation, MessagesBefore, PAGE_OF_MESSAGES_BYTES } from '../projections/conversations.ts';
import { ownerKeyOf } from './caller-as-owner.ts';
import type { Conversation, ConversationSummary } from './conversation-answers.ts';
import { ConversationSummaries } from './conversation-summaries.ts';
import { OpenedMessages } from './opened-messages.ts';

/** Conversations with their messages, for their owners. */
@Injectable()
export class WholeConversations {
  constructor(
    private readonly queries: QueryBus,
    private readonly summaries: ConversationSummaries,
    private readonly opened: OpenedMessages,
    private readonly tokens: PageTokens,
  ) {}

  /** A page of the conversation, with its version as the ETag. Throws `conversation_not_found` (missing), `invalid_next_token` (invalid) and `busy` (unavailable). */
  async page(caller: Caller, id: string, { limit, next_token }: PageQuery, reply: FastifyReply): Promise<Conversation> {
    // Before all reads, which need memory too.
    const most = await reply.server.answerMemory.ofPage(reply, PAGE_OF_MESSAGES_BYTES);
    const version = await this.queries.execute(new VersionOf(id));
    const found = await this.of(caller, id);
    const listing = { list: 'messages', conversation: id };
    const before = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const { messages, children, feedback, next } = await this.queries.execute(new MessagesBefore(id, limit, before, most));
    const message_map: Conversation['message_map'] = {};
    for (const row of messages) {
      const { message_id } = row;
      const details = { children: children.get(message_id) ?? [], feedback: feedback.get(message_id) ?? null };
      message_map[message_id] = await this.opened.shown(row, details);
    }
    void reply.header('etag', etagOf(version));
    const { last_message_id } = found.row;
    return {
      ...(await this.summary(found)),
      last_message_id,
      temporary: isTemporary(found.row),
      message_map,
      next_token: next === null ? null : this.tokens.seal(listing, next),
    };
  }

  /** Throws `conversation_not_found` (missing). */
  async of(caller: Caller, id: string): Promise<ListedConversation> {
    const found = await this.queries.execute(new ConversationOf(id, ownerKeyOf(caller)));
    if (!found) throw conversationNotFound();
    return found;
  }

  async summary(found: ListedConversation): Promise<ConversationSummary> {
    return (await this.summaries.of([found]))[0]!;
  }
}
