import { Body, Controller, Delete, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { Caller, FreshId, IdParam, LargeAnswer, PageQuery, Published } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { positionIn } from '../../adapters/stream-events.ts';
import { messageNotFound } from '../../domain/conversation-refusals.ts';
import { ConversationRemoval } from '../../workflows/conversation-removal.ts';
import { MessageAnswer, ProcessingAnswer } from '../answers.ts';
import { ownerOf } from '../caller-as-owner.ts';
import { Conversation, DeletionReceipt, REMOVED_FROM } from '../conversation-answers.ts';
import { ReplyAnswers } from '../replies/reply-answers.ts';
import { replyRequestIn, ReplyBody, TakesReplyRequest } from '../replies/reply-request.ts';
import { STREAM_DESCRIPTION } from '../streams/stream-description.ts';
import { WholeConversations } from '../whole-conversations.ts';
import { PublishedReplies } from './published-replies.ts';

/** As for users, but without a bot, which the URL names. */
class AskBotBody extends ReplyBody {}

/** The conversations of a published bot, for programs with one of its API keys. */
@Published()
@Controller('published/:apiId/:stage/conversation')
export class PublishedConversationController {
  constructor(
    private readonly replies: PublishedReplies,
    private readonly answers: ReplyAnswers,
    private readonly conversations: WholeConversations,
    private readonly removal: ConversationRemoval,
  ) {}

  @Post()
  @Summary(
    'Send a message to the published bot, request another reply to a message, or continue a reply. Without a conversation ID this starts a conversation. Fetch the reply by its ID, stream it with `Accept: text/event-stream`, or wait for it with `Prefer: wait=10`.',
  )
  @TakesReplyRequest()
  @Refuses('not_published', 404)
  async post(@Caller() caller: Caller, @FreshId() replyId: string, @Body() body: AskBotBody, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.send(reply, caller, await this.replies.accept(caller, replyRequestIn(body, replyId)));
  }

  @Get(':conversationId')
  @Summary('Get a conversation of this API with its newest messages. Use next_token for older ones.')
  @Answers(200, Conversation)
  @Refuses('invalid_next_token', 400)
  @Refuses('conversation_not_found', 404)
  @Refuses('busy', 503)
  async conversation(
    @Caller() caller: Caller,
    @IdParam('conversationId') id: string,
    @Query() page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Conversation> {
    return this.conversations.page(caller, id, page, reply);
  }

  @Get(':conversationId/:messageId')
  @LargeAnswer()
  @Summary('Get a message or a reply of this API. Answers 202 while the reply is being written. Try again after the time in Retry-After.')
  @Answers(200, MessageAnswer)
  @Answers(202, ProcessingAnswer)
  @Refuses('message_not_found', 404)
  @Refuses('busy', 503)
  async message(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageAnswer | ProcessingAnswer> {
    return this.answers.message(reply, await this.replies.message(caller, conversationId, messageId));
  }

  @Get(':conversationId/:messageId/stream')
  @Summary('Follow a reply of this API to its end, or resume a broken stream with Last-Event-ID.')
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream', description: STREAM_DESCRIPTION })
  @Refuses('message_not_found', 404)
  async stream(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') replyId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { message } = await this.replies.message(caller, conversationId, replyId);
    if (message.role !== 'assistant') throw messageNotFound();
    const followed = { conversationId, replyId, userId: caller.userId };
    await this.answers.stream(reply, followed, positionIn(lastEventId));
  }

  @Delete(':conversationId')
  @HttpCode(200)
  @Summary('Delete a conversation of this API. Its content is removed, and its ID cannot be used again. Totals of costs and counts remain.')
  @Answers(200, DeletionReceipt)
  @Refuses('conversation_not_found', 404)
  @Refuses('on_hold', 409)
  async delete(@Caller() caller: Caller, @IdParam('conversationId') conversation_id: string): Promise<DeletionReceipt> {
    const messages = await this.removal.delete(conversation_id, ownerOf(caller));
    return { conversation_id, removed: { messages }, removed_from: [...REMOVED_FROM] };
  }
}
