import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { BodyLimit, Caller, derivedId, FreshId, IdParam, Published, StartsWork } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsNumber, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { MAX_REQUEST_BYTES } from '../bodies/message-body.ts';
import { OpenedMessages } from '../opened-messages.ts';
import { UsedTokens, usageOf } from '../replies/used-tokens.ts';
import { PublishedReplies } from './published-replies.ts';

const MAX_MESSAGE = 1_048_576;
/** The limit for a reply. Models have lower limits. */
const MOST_TOKENS = 1_000_000;
const RETRY_AFTER_SECONDS = '1';

class PredictBody {
  @Length(1, MAX_MESSAGE) message!: string;
  @IsOptional() @IsNumber() @Min(0) @Max(2) temperature?: number;
  /** A lower limit of the bot takes precedence. */
  @IsOptional() @IsInt() @Min(1) @Max(MOST_TOKENS) max_tokens?: number;
}

const request_id = z.string().describe('For GET /result/{requestId}.');

export const PredictAnswer = z.object({
  request_id,
  status: z.literal('processing'),
  message: z.string().describe('A sentence about what to do next.'),
});
export type PredictAnswer = z.infer<typeof PredictAnswer>;

export const PredictResult = z.object({
  request_id,
  status: z.enum(['processing', 'completed', 'failed']),
  response: z.string().nullable().describe('The text of the reply. Null while it is being written, and if it failed without a text.'),
  usage: UsedTokens.nullable().describe('Null until the reply is completed.'),
  error: z.string().optional().describe('Why the reply failed.'),
});
export type PredictResult = z.infer<typeof PredictResult>;

/** The API for earlier clients: each message and its reply have their own conversation. */
@Published()
@Controller('published/:apiId/:stage')
export class PredictController {
  constructor(
    private readonly replies: PublishedReplies,
    private readonly opened: OpenedMessages,
  ) {}

  @Post('predict')
  @StartsWork()
  @BodyLimit(MAX_REQUEST_BYTES)
  @HttpCode(202)
  @Summary('Send one message to the published bot. Poll the result by its request ID.')
  @Answers(202, PredictAnswer)
  @Refuses('guardrail_blocked', 400)
  @Refuses('message_too_long', 400)
  @Refuses('model_not_available', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('budget_exceeded', 429)
  @Refuses('busy', 503)
  async predict(@Caller() caller: Caller, @FreshId() replyId: string, @Body() body: PredictBody): Promise<PredictAnswer> {
    const { message, temperature, max_tokens: maxTokens } = body;
    const parameters = { ...(temperature !== undefined && { temperature }), ...(maxTokens !== undefined && { maxTokens }) };
    await this.replies.accept(caller, {
      conversationId: null,
      replyId,
      parentId: null,
      content: [{ content_type: 'text', body: message }],
      model: undefined,
      reasoning: false,
      continues: false,
      ...(Object.keys(parameters).length > 0 && { parameters }),
    });
    return {
      request_id: replyId,
      status: 'processing',
      message: `The reply is being written. Poll /result/${replyId} until it is completed or failed.`,
    };
  }

  @Get('result/:requestId')
  @Summary('Get the result of a request. Answers 202 while the reply is being written. Try again after the time in Retry-After.')
  @Answers(200, PredictResult)
  @Answers(202, PredictResult)
  @Refuses('request_not_found', 404)
  async result(
    @Caller() caller: Caller,
    @IdParam('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PredictResult> {
    const found = await this.replies.find(caller, derivedId(requestId, 'conversation'), requestId);
    if (!found) throw refuse('missing', 'request_not_found', 'There is no such request, or its result is not yours to see.');
    const { message } = found;
    const { status, error } = message;
    if (status !== 'completed' && status !== 'failed') {
      void reply.status(202).header('retry-after', RETRY_AFTER_SECONDS);
      return { request_id: requestId, status: 'processing', response: null, usage: null };
    }
    const response = await this.opened.text(message.content);
    return { request_id: requestId, status, response, usage: usageOf(message), ...(error && { error: error.message }) };
  }
}
