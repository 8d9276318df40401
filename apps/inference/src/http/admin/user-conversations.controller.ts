import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { acceptsCsv, AuditedRead, csvList, IdParam, LargeAnswer, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnownSubjects } from '../../adapters/known-subjects.ts';
import { BotTitles } from '../../adapters/bot-titles.ts';
import { conversationNotFound, messageNotFound } from '../../domain/conversation-refusals.ts';
import { DetailsOfMessage } from '../../projections/conversations.ts';
import { ConversationsOfUser, PromptsOf } from '../../projections/conversations-of-user.ts';
import { MessageById } from '../../projections/messages/message-by-id.ts';
import type { MessageRow } from '../../projections/messages/message-rows.ts';
import { type MessageOfUser, PromptsAnswer, ReplyToUser, UserConversationsAnswer } from './admin-answers.ts';
import type { ContentPart } from '../answers.ts';
import { ConversationSummaries } from '../conversation-summaries.ts';
import { NewestOfLog } from './newest-of-log.ts';
import { OpenedMessages } from '../opened-messages.ts';

const COLUMNS = ['conversation_id', 'title', 'create_time', 'bot_id', 'total_price', 'bot_title'] as const;
const PROMPT_COLUMNS = ['message_id', 'create_time', 'content'] as const;

/** Conversations of other users, for administrators. Each request is in the audit log before it is answered. */
@Controller('admin/users/:userId/conversations')
@Needs('Admin')
export class UserConversationsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly summaries: ConversationSummaries,
    private readonly opened: OpenedMessages,
    private readonly titles: BotTitles,
    private readonly newest: NewestOfLog,
    private readonly known: KnownSubjects,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_user', 'user', 'userId')
  @Summary("List the conversations of a user, including those through the user's published APIs, the newest first.")
  @Answers(200, UserConversationsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('user_not_found', 404)
  list(
    @IdParam('userId') userId: string,
    @Query() page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'conversations', columns: COLUMNS, read: (its) => this.page(userId, its) });
    return this.page(userId, page);
  }

  private async page(userId: string, { limit, next_token }: PageQuery): Promise<UserConversationsAnswer> {
    const listing = { list: 'conversations-of-user', userId };
    const after = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const as_of = await this.newest.included();
    const { conversations, next } = await this.queries.execute(new ConversationsOfUser(userId, limit, after));
    if (conversations.length === 0 && after === null) await this.known.requireUser(userId);
    const summaries = await this.summaries.of(conversations);
    const titles = await this.titles.of([...new Set(summaries.flatMap(({ bot_id }) => bot_id ?? []))]);
    return {
      as_of,
      conversations: summaries.map(({ conversation_id, title, create_time, bot_id, total_price }) => {
        return { conversation_id, title, create_time, bot_id, bot_title: (bot_id && titles.get(bot_id)) || null, total_price };
      }),
      next_token: next === null ? null : this.tokens.seal(listing, next),
    };
  }

  @Get(':conversationId/prompts')
  @AuditedRead('view_prompts', 'conversation', 'conversationId')
  @Summary('List the messages of a user in a conversation, the oldest first. A page with long messages ends early.')
  @Answers(200, PromptsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('conversation_not_found', 404)
  prompts(
    @IdParam('userId') userId: string,
    @IdParam('conversationId') conversationId: string,
    @Query() query: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = (page: PageQuery) => this.promptsPage(userId, conversationId, page);
    if (!acceptsCsv(request.headers.accept)) return read(query);
    const withText = async (page: PageQuery) => {
      const { prompts, next_token } = await read(page);
      return { prompts: prompts.map(({ content, ...its }) => ({ ...its, content: content.map(textOf).join('\n') })), next_token };
    };
    return csvList(reply, { list: 'prompts', columns: PROMPT_COLUMNS, read: withText });
  }

  @Get(':conversationId/replies/:messageId')
  @LargeAnswer()
  @AuditedRead('view_reply', 'conversation', 'conversationId')
  @Summary('Get a reply to a user with the question, the passages on which it is based, and its rating.')
  @Answers(200, ReplyToUser)
  @Refuses('message_not_found', 404)
  @Refuses('busy', 503)
  async reply(
    @IdParam('userId') userId: string,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
  ): Promise<ReplyToUser> {
    const found = await this.queries.execute(new MessageById(conversationId, messageId));
    if (found?.conversation.user_id !== userId || found.message.role !== 'assistant') throw messageNotFound();
    const { message, conversation } = found;
    const asked = message.parent === null ? null : await this.queries.execute(new MessageById(conversationId, message.parent));
    return {
      conversation_id: conversationId,
      bot_id: conversation.bot_id,
      question: asked && (await this.shown(asked.message)),
      reply: await this.shown(message),
    };
  }

  private async shown(row: MessageRow): Promise<MessageOfUser> {
    const { children: _, parent: __, ...message } = await this.opened.shown(row, await this.queries.execute(new DetailsOfMessage(row)));
    return message;
  }

  private async promptsPage(userId: string, conversationId: string, { limit, next_token }: PageQuery): Promise<PromptsAnswer> {
    const listing = { list: 'prompts', userId, conversationId };
    const after = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const as_of = await this.newest.included();
    const found = await this.queries.execute(new PromptsOf(userId, conversationId, limit, after));
    if (!found) throw conversationNotFound();
    const prompts: PromptsAnswer['prompts'] = [];
    for (const row of found.prompts) {
      const { content } = await this.opened.shown(row, { children: [], feedback: null });
      prompts.push({ message_id: row.message_id, content, create_time: Instant.toSeconds(row.submitted_at) });
    }
    return { as_of, prompts, next_token: found.next === null ? null : this.tokens.seal(listing, found.next) };
  }
}

/** A part of a message as text: the text itself, or the name or the kind of a file. */
function textOf(part: ContentPart): string {
  if (part.content_type === 'text') return part.body;
  return part.content_type === 'attachment' ? part.file_name : `[${part.content_type}]`;
}
