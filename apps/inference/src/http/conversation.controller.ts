import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { type Seal, type Sealed, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { BodyLimit, Caller, derivedId, FreshId, IdParam, IsUlid, SignedIn } from '@parlance/http';
import { ServiceCalls } from '@parlance/calls';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, Equals, IsArray, IsOptional, Length, ValidateNested } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Catalogue } from '../adapters/catalogue.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import { SubmitMessage } from '../commands/submit-message.ts';
import { conversationIdTaken } from '../domain/conversation-refusals.ts';
import { MessageById } from '../projections/messages.ts';
import { UsedChunksOf } from '../projections/used-chunks.ts';
import { AcceptedAnswer, MessageAnswer, ProcessingAnswer, type UsedChunk } from './answers.ts';

class TextContent {
  @Equals('text') content_type!: 'text';
  @Length(1, 1_048_576) body!: string;
}

class MessageBody {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => TextContent)
  content!: TextContent[];
  @IsOptional() @Length(1, 200) model?: string;
  @IsOptional() @IsUlid() parent_message_id?: string;
}

class PostMessageBody {
  @IsOptional() @IsUlid() conversation_id?: string;
  @IsOptional() @IsUlid() bot_id?: string;
  @ValidateNested() @Type(() => MessageBody) message!: MessageBody;
}

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_REQUEST_BYTES = 20 * 1024 * 1024;

@Controller('conversation')
export class ConversationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly catalogue: Catalogue,
    private readonly calls: ServiceCalls,
  ) {}

  @Post()
  @BodyLimit(MAX_REQUEST_BYTES)
  @SignedIn()
  @HttpCode(202)
  @Summary('Send a message. Without a conversation ID it starts a conversation. The reply is written afterwards.')
  @Answers(202, AcceptedAnswer)
  @Refuses('message_too_long', 400)
  @Refuses('model_not_available', 400)
  @Refuses('parent_message_unknown', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('reply_in_progress', 409)
  @Refuses('conversation_id_taken', 409)
  @Refuses('conversation_of_another_bot', 409)
  @Refuses('busy', 503)
  async post(@Caller() caller: Caller, @FreshId() replyId: string, @Body() body: PostMessageBody): Promise<AcceptedAnswer> {
    // A repeat of the request gets the same conversation and the same reply.
    const { message, conversation_id: conversationId = derivedId(replyId, 'conversation'), bot_id: botId = null } = body;
    const model = this.catalogue.model(message.model).id;
    // The bots service decides whether the user may use the bot now.
    if (botId !== null) await this.calls.get('bots', `/internal/bots/${botId}/seen`);
    const text = message.content.map((part) => part.body).join('\n');
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) throw refuse('invalid', 'message_too_long', 'A message has at most 1 MiB of text.');
    const parentId = message.parent_message_id ?? null;
    await this.sealing(conversationId, caller.userId, (seal) => {
      const submitted = { userId: caller.userId, botId, replyId, parentId, text, content: seal.text(text), model };
      return this.commands.execute(new SubmitMessage(conversationId, submitted, seal));
    });
    return { conversation_id: conversationId, message_id: replyId };
  }

  /** Sealing fails first when a conversation belongs to another user, or to an erased user. */
  private async sealing(conversationId: string, userId: string, work: (seal: Seal) => Promise<void>): Promise<void> {
    const subject = conversationSubject(conversationId, userId);
    try {
      await this.vault.sealing(subject, work);
    } catch (error) {
      const isTaken = error instanceof SubjectMoved || (error instanceof Shredded && error.subject === subject.id);
      if (isTaken) throw conversationIdTaken();
      if (error instanceof Shredded) throw refuse('unauthenticated', 'invalid_token', 'This user was erased.');
      throw error;
    }
  }

  @Get(':conversationId/:messageId')
  @SignedIn()
  @Summary('Get a message or a reply. Answers 202 while the reply is being written.')
  @Answers(200, MessageAnswer)
  @Answers(202, ProcessingAnswer)
  @Refuses('message_not_found', 404)
  async message(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageAnswer | ProcessingAnswer> {
    const found = await this.queries.execute(new MessageById(conversationId, messageId));
    if (!found || found.conversation.user_id !== caller.userId) {
      throw refuse('missing', 'message_not_found', 'There is no such message, or it is not yours to see.');
    }
    const { message, conversation } = found;
    if (message.status === 'processing') {
      reply.status(202).header('retry-after', '1');
      return { status: 'processing' };
    }
    const body = message.content === null ? null : await this.vault.open(message.content as Sealed);
    const chunks = message.used_chunk_bytes === undefined ? null : await this.usedChunks(conversationId, messageId);
    return {
      conversation_id: conversationId,
      message: {
        message_id: messageId,
        role: message.role,
        content: body === null ? [] : [{ content_type: 'text', body }],
        model: message.model,
        parent: message.parent,
        ...(chunks && { used_chunks: chunks }),
      },
      create_time: conversation.started_at / 1000,
      status: message.status,
      ...(message.error && { error: message.error }),
    };
  }

  /** Null when they were erased in the meantime. */
  private async usedChunks(conversationId: string, replyId: string): Promise<UsedChunk[] | null> {
    const sealed = await this.queries.execute(new UsedChunksOf(conversationId, replyId));
    return sealed === null ? null : this.vault.openJson<UsedChunk[]>(sealed as Sealed);
  }
}
