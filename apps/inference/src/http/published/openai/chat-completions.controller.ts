import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock, EventStreams } from '@parlance/foundation';
import {
  CODE_HEADER,
  BodyLimit,
  Caller,
  FreshId,
  LongAnswer,
  openAiError,
  openAiErrorForm,
  Published,
  RefusesAs,
  TakesIdempotencyKey,
  StartsWork,
} from '@parlance/http';
import { Answers, Refuses, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import type { Followed } from '../../../adapters/stream-events.ts';
import { MAX_REQUEST_BYTES } from '../../bodies/message-body.ts';
import { FollowReply } from '../../streams/follow-reply.ts';
import { CHAT_COMPLETION, chatCompletionOf } from './chat-answer.ts';
import { CHAT_REQUEST, chatRequestOf } from './chat-request.ts';
import { chatChunks } from './chat-stream.ts';
import { type FailedReply, hasFailed } from './ended-reply.ts';
import { RefusesReplies, StandardBody, warnOf } from './openai-route.ts';
import { OpenAiReplies } from './openai-replies.ts';

/** Chat completions, compatible with OpenAI. */
@Controller('published/:apiId/:stage/v1/chat/completions')
@Published()
@RefusesAs(openAiErrorForm)
export class ChatCompletionsController {
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
  @Summary('Ask the bot with an OpenAI chat completion. Each call starts a conversation, so clients send earlier messages again.')
  @Takes(CHAT_REQUEST)
  @Answers(200, CHAT_COMPLETION, { description: 'The whole answer, or with `stream` its chunks as server-sent events.' })
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  @Refuses('request_refused', 400)
  @RefusesReplies()
  async complete(
    @Caller() caller: Caller,
    @FreshId() replyId: string,
    @StandardBody() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = chatRequestOf(body);
    const { conversationId, model, budgetWarning } = await this.replies.accept(caller, replyId, request);
    warnOf(reply, budgetWarning);
    const head = { id: `chatcmpl-${replyId}`, created: Instant.toSeconds(this.clock.now()), model };
    const followed = { conversationId, replyId, userId: caller.userId };
    if (request.isStreamed)
      return this.streams.sendTexts(reply, (reader) => chatChunks(head, this.follow.events(followed, null, reader), request));
    const ended = await this.streams.whileOpen(reply, (reader) => this.replies.ended(followed, reader));
    if (hasFailed(ended)) return refuseFailed(reply, ended, followed);
    void reply.status(200).send(chatCompletionOf(head, ended));
  }
}

/**
 * A chat completion has no status for a failure, so the answer is a 503. Its code says that the reply was recorded: a retry would be a new question,
 * which is charged again. If the model refuses the question, it would refuse a retry too, so the answer is a 400.
 */
function refuseFailed(reply: FastifyReply, { code, message }: FailedReply, { conversationId, replyId }: Followed): void {
  const detail = `${message} The failed reply ${replyId} of the conversation ${conversationId} is recorded.`;
  const error = code === 'request_refused' ? { status: 400, code } : { status: 503, code: 'recorded_not_visible' };
  void reply
    .status(error.status)
    .headers({ 'x-should-retry': 'false', [CODE_HEADER]: error.code })
    .send(openAiError({ ...error, detail }));
}
