import { applyDecorators, HttpCode } from '@nestjs/common';
import { BodyLimit, IsUlid, StartsWork } from '@parlance/http';
import { Answers, Refuses } from '@parlance/openapi';
import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, ValidateNested } from 'class-validator';
import { AcceptedAnswer, MessageAnswer } from '../answers.ts';
import { MAX_REQUEST_BYTES, MessageBody } from '../bodies/message-body.ts';
import { STREAM_DESCRIPTION } from '../streams/stream-description.ts';

/** The body of users' and programs' requests for a reply to a message, another reply, or the continuation of a reply. */
export class ReplyBody {
  @IsOptional() @IsUlid() conversation_id?: string;
  @ValidateNested() @Type(() => MessageBody) message!: MessageBody;
  @IsOptional() @IsBoolean() continue_generate?: boolean;
  @IsOptional() @IsBoolean() enable_reasoning?: boolean;
}

export const replyRequestIn = (body: ReplyBody, replyId: string) => ({
  conversationId: body.conversation_id ?? null,
  replyId,
  parentId: body.message.parent_message_id ?? null,
  content: body.message.content,
  model: body.message.model,
  reasoning: body.enable_reasoning ?? false,
  continues: body.continue_generate ?? false,
});

/** Documents the answers and refusals of a route that takes a `ReplyBody`. */
export const TakesReplyRequest = (): MethodDecorator =>
  applyDecorators(
    StartsWork(),
    BodyLimit(MAX_REQUEST_BYTES),
    HttpCode(202),
    // Must precede the next answer, whose description applies to both.
    Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' }),
    Answers(200, MessageAnswer, {
      description: `With \`Prefer: wait\`: the finished message. With \`Accept: text/event-stream\`: ${STREAM_DESCRIPTION}`,
    }),
    Answers(202, AcceptedAnswer),
    Refuses('content_not_empty', 400),
    Refuses('content_required', 400),
    Refuses('guardrail_blocked', 400),
    Refuses('images_not_supported', 400),
    Refuses('invalid_file', 400),
    Refuses('message_too_long', 400),
    Refuses('model_not_available', 400),
    Refuses('not_a_reply', 400),
    Refuses('parent_message_unknown', 400),
    Refuses('bot_not_found', 404),
    Refuses('conversation_not_found', 404),
    Refuses('nothing_to_continue', 409),
    Refuses('reply_in_progress', 409),
    Refuses('budget_exceeded', 429),
    Refuses('busy', 503),
    Refuses('object_store_not_configured', 503),
    Refuses('object_store_unavailable', 503),
  );
