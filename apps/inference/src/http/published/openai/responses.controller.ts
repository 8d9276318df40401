import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock, EventStreams } from '@parlance/foundation';
import {
  BodyLimit,
  Caller,
  FreshId,
  LongAnswer,
  openAiErrorForm,
  Published,
  RefusesAs,
  StartsWork,
  TakesIdempotencyKey,
} from '@parlance/http';
import { Answers, Refuses, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { MAX_REQUEST_BYTES } from '../../bodies/message-body.ts';
import { FollowReply } from '../../streams/follow-reply.ts';
import { hasFailed } from './ended-reply.ts';
import { RefusesReplies, StandardBody, warnOf } from './openai-route.ts';
import { OpenAiReplies } from './openai-replies.ts';
import { begunResponse, endedResponse, failedResponse, NOTHING_REPEATED, RESPONSE, type Response } from './response-answer.ts';
import { replyAddressIn } from './response-ids.ts';
import { responseEvents } from './response-stream.ts';
import { RESPONSES_REQUEST, responsesRequestOf } from './responses-request.ts';

/** Responses, compatible with OpenAI. */
@Controller('published/:apiId/:stage/v1/responses')
@Published()
@RefusesAs(openAiErrorForm)
export class ResponsesController {
  constructor(
    private readonly replies: OpenAiReplies,
    private readonly follow: FollowReply,
    private readonly streams: EventStreams,
    private readonly clock: Clock,
  ) {}

  @Post()
  @StartsWork()
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @TakesIdempotencyKey()
  @HttpCode(200)
  @Summary('Ask the bot with an OpenAI response. With `previous_response_id` this continues the conversation after that response.')
  @Takes(RESPONSES_REQUEST)
  @Answers(200, RESPONSE, { description: 'The whole response, or with `stream` the events of the protocol.' })
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  @RefusesReplies()
  @Refuses('previous_response_not_found', 404)
  async create(
    @Caller() caller: Caller,
    @FreshId() replyId: string,
    @StandardBody() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = responsesRequestOf(body);
    const { conversationId, model, budgetWarning } = await this.replies.accept(caller, replyId, request, request.previous);
    warnOf(reply, budgetWarning);
    const created = Instant.toSeconds(this.clock.now());
    const head = { place: { conversationId, replyId }, created, model, repeated: request.repeated };
    const followed = { conversationId, replyId, userId: caller.userId };
    if (request.isStreamed)
      return this.streams.sendTexts(reply, (reader) => responseEvents(head, this.follow.events(followed, null, reader)));
    const ended = await this.streams.whileOpen(reply, (reader) => this.replies.ended(followed, reader));
    void reply.status(200).send(hasFailed(ended) ? failedResponse(head, ended) : endedResponse(head, ended));
  }

  @Get(':responseId')
  @Summary('Get a response of this API, even while it is being written.')
  @Answers(200, RESPONSE)
  @Refuses('response_not_found', 404)
  async get(@Caller() caller: Caller, @Param('responseId') responseId: string): Promise<Response> {
    const place = replyAddressIn(responseId, 'response_not_found');
    const { message } = await this.replies.replyOf(caller, place, 'response_not_found');
    const { model, submitted_at, error, status } = message;
    const head = { place, created: Instant.toSeconds(submitted_at), model, repeated: NOTHING_REPEATED };
    if (error) return failedResponse(head, error);
    return status === 'completed' ? endedResponse(head, await this.replies.endOf(message)) : begunResponse(head);
  }
}
