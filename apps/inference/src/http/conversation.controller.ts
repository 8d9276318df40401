import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Caller, FreshId, IdParam, IsUlid, LargeAnswer, SignedIn } from '@parlance/http';
import { IsBoolean, IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { messageNotFound } from '../domain/conversation-refusals.ts';
import { OwnedMessage } from '../projections/messages/message-by-id.ts';
import { ProjectChanges } from '../workflows/projects/project-changes.ts';
import { MessageAnswer, ProcessingAnswer } from './answers.ts';
import { ownerKeyOf } from './caller-as-owner.ts';
import { ReplyAcceptance } from './replies/reply-acceptance.ts';
import { ReplyAnswers } from './replies/reply-answers.ts';
import { replyRequestIn, ReplyBody, TakesReplyRequest } from './replies/reply-request.ts';

class PostMessageBody extends ReplyBody {
  @IsOptional() @IsUlid() bot_id?: string;
  /** For the first message: the conversation is in no list, search or export, and is deleted `temporaryChatHours` after its last message. */
  @IsOptional() @IsBoolean() temporary?: boolean;
  /** For the first message: the conversation begins in this project. Later it must be the project of the conversation. */
  @IsOptional() @IsUlid() project_id?: string;
  /** Turns the memory on or off for this conversation, from this message on. */
  @IsOptional() @IsBoolean() memory?: boolean;
}

@Controller('conversation')
export class ConversationController {
  constructor(
    private readonly queries: QueryBus,
    private readonly acceptance: ReplyAcceptance,
    private readonly answers: ReplyAnswers,
    private readonly projects: ProjectChanges,
  ) {}

  @Post()
  @SignedIn()
  @Summary(
    'Send a message, request another reply to a message, or continue a reply. Without a conversation ID this starts a conversation. The reply is written afterwards. Stream it with `Accept: text/event-stream`, or wait for it with `Prefer: wait=10`.',
  )
  @TakesReplyRequest()
  @Refuses('project_not_found', 404)
  @Refuses('conversation_id_taken', 409)
  @Refuses('conversation_is_temporary', 409)
  @Refuses('conversation_of_another_project', 409)
  @Refuses('conversation_not_temporary', 409)
  @Refuses('conversation_of_another_bot', 409)
  async post(
    @Caller() caller: Caller,
    @FreshId() replyId: string,
    @Body() body: PostMessageBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A deleted project, or one of other users, is refused before the message is stored.
    const projectId = body.project_id ?? undefined;
    if (projectId !== undefined) await this.projects.of(projectId, caller.userId);
    const chosen = { botId: body.bot_id ?? null, temporary: body.temporary ?? false, projectId, memory: body.memory ?? undefined };
    const request = { ...replyRequestIn(body, replyId), ...chosen };
    await this.answers.send(reply, caller, await this.acceptance.accept(caller, request));
  }

  @Get(':conversationId/:messageId')
  @SignedIn()
  @LargeAnswer()
  @Summary('Get a message or a reply. Answers 202 while the reply is being written, or is waiting for the approval of a tool call.')
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
    const found = await this.queries.execute(new OwnedMessage(conversationId, messageId, ownerKeyOf(caller)));
    if (!found) throw messageNotFound();
    return this.answers.message(reply, found);
  }
}
