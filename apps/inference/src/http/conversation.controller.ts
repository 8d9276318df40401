import { Body, Controller, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { type Seal, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { BodyLimit, Caller, derivedId, FreshId, IdParam, IsUlid, SignedIn } from '@parlance/http';
import { ServiceCalls } from '@parlance/calls';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsBoolean, IsOptional, Length, ValidateNested } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Catalogue, type ModelsOfBot } from '../adapters/catalogue.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import { contentRequired, RequestReply } from '../commands/request-reply.ts';
import { type Accepted, SubmitMessage } from '../commands/submit-message.ts';
import { conversationIdTaken } from '../domain/conversation-refusals.ts';
import { titleByRule } from '../domain/title-rule.ts';
import { MessageById } from '../projections/messages.ts';
import { AcceptedAnswer, MessageAnswer, ProcessingAnswer } from './answers.ts';
import { OpenedMessages } from './opened-messages.ts';
import { acceptsEvents, waitIn } from './preferences.ts';
import { EventStreams } from './streams/event-streams.ts';
import { FollowReply } from './streams/follow-reply.ts';
import { STREAM_DESCRIPTION } from './streams/stream-description.ts';

class TextContent {
  @Equals('text') content_type!: 'text';
  @Length(1, 1_048_576) body!: string;
}

class MessageBody {
  @IsArray()
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
  @IsOptional() @IsBoolean() continue_generate?: boolean;
  @IsOptional() @IsBoolean() enable_reasoning?: boolean;
}

/** A sentence for the user, on the answer to a message that passes a soft budget. */
const BUDGET_WARNING_HEADER = 'x-parlance-budget-warning';

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_REQUEST_BYTES = 20 * 1024 * 1024;
/** Less than the time limit of answers, which is counted from the beginning of the request. */
const LONGEST_ANSWER_MILLIS = 29_000;

@Controller('conversation')
export class ConversationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly catalogue: Catalogue,
    private readonly calls: ServiceCalls,
    private readonly opened: OpenedMessages,
    private readonly follow: FollowReply,
    private readonly streams: EventStreams,
  ) {}

  @Post()
  @BodyLimit(MAX_REQUEST_BYTES)
  @SignedIn()
  @HttpCode(202)
  @Summary(
    'Send a message, ask for another reply to one, or continue a reply. Without a conversation ID it starts a conversation. The reply is written afterwards, streamed with `Accept: text/event-stream`, or waited for with `Prefer: wait=10`.',
  )
  @Answers(200, MessageAnswer, {
    description: `With \`Prefer: wait\`: the finished message. With \`Accept: text/event-stream\`: ${STREAM_DESCRIPTION}`,
  })
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  @Answers(202, AcceptedAnswer)
  @Refuses('content_not_empty', 400)
  @Refuses('content_required', 400)
  @Refuses('message_too_long', 400)
  @Refuses('model_not_available', 400)
  @Refuses('not_a_reply', 400)
  @Refuses('parent_message_unknown', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('conversation_not_found', 404)
  @Refuses('nothing_to_continue', 409)
  @Refuses('reply_in_progress', 409)
  @Refuses('conversation_id_taken', 409)
  @Refuses('conversation_of_another_bot', 409)
  @Refuses('budget_exceeded', 429)
  @Refuses('busy', 503)
  async post(
    @Caller() caller: Caller,
    @FreshId() replyId: string,
    @Body() body: PostMessageBody,
    @Headers('prefer') prefer: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A repeat of the request gets the same conversation and the same reply.
    const { conversation_id: conversationId = derivedId(replyId, 'conversation') } = body;
    const { budgetWarning } = await this.accept(caller, conversationId, replyId, body);
    if (budgetWarning !== null) void reply.header(BUDGET_WARNING_HEADER, budgetWarning);
    const followed = { conversationId, replyId, userId: caller.userId };
    if (acceptsEvents(reply.request.headers.accept))
      return this.streams.send(reply, (reader) => this.follow.events(followed, null, reader));
    const seconds = waitIn(prefer);
    if (seconds !== null) {
      void reply.header('preference-applied', `wait=${seconds}`);
      const ended = await this.follow.end(followed, Math.min(seconds * 1_000, LONGEST_ANSWER_MILLIS - reply.elapsedTime));
      if (ended) return void reply.status(200).send(await this.opened.answer(ended));
    }
    void reply.status(202).send({ conversation_id: conversationId, message_id: replyId } satisfies AcceptedAnswer);
  }

  private async accept(caller: Caller, conversationId: string, replyId: string, body: PostMessageBody): Promise<Accepted> {
    const { message, bot_id: botId = null, continue_generate: continues = false, enable_reasoning: reasoning = false } = body;
    const { content, parent_message_id: parentId = null } = message;
    const { userId } = caller;
    if (continues && content.length > 0) throw refuse('invalid', 'content_not_empty', 'With continue_generate the content must be empty.');
    if (content.length === 0 && body.conversation_id === undefined) throw contentRequired();
    // The bots service decides whether the user may use the bot now.
    const bot = botId === null ? null : await this.calls.get<ModelsOfBot>('bots', `/internal/bots/${botId}/seen`);
    if (content.length === 0) {
      const asked = { userId, botId, replyId, parentId, continues, model: message.model, bot, reasoning };
      return this.commands.execute(new RequestReply(conversationId, asked));
    }
    const model = this.catalogue.requireModel(message.model, bot).id;
    const text = content.map((part) => part.body).join('\n');
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) throw refuse('invalid', 'message_too_long', 'A message has at most 1 MiB of text.');
    return this.sealing(conversationId, userId, (seal) => {
      const submitted = { userId, botId, replyId, parentId, text, content: seal.text(text), model, reasoning };
      // Only a message without a parent can be the first of its conversation.
      const titled = parentId === null ? { ...submitted, title: seal.text(titleByRule(text)) } : submitted;
      return this.commands.execute(new SubmitMessage(conversationId, titled, seal));
    });
  }

  /** Sealing fails first when a conversation belongs to another user, or to an erased user. */
  private async sealing<Result>(conversationId: string, userId: string, work: (seal: Seal) => Promise<Result>): Promise<Result> {
    const subject = conversationSubject(conversationId, userId);
    try {
      return await this.vault.sealing(subject, work);
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
    if (found.message.status === 'processing') {
      reply.status(202).header('retry-after', '1');
      return { status: 'processing' };
    }
    return this.opened.answer(found);
  }
}
