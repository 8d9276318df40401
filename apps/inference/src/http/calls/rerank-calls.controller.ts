import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  BodyBytes,
  BodyLimit,
  Caller,
  LongAnswer,
  openAiErrorForm,
  type ReceivedBytes,
  RefusesAs,
  SignedIn,
  TakesBytes,
} from '@parlance/http';
import { Summary, Takes } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { MAX_REQUEST_BYTES } from '../bodies/message-body.ts';
import { CallAnswers } from './call-answers.ts';
import { AnswersCalls, CALL_REQUEST } from './call-routes.ts';

/** Calls of models that judge texts, for programs with a token. */
@Controller('v1')
@SignedIn()
@RefusesAs(openAiErrorForm)
export class RerankCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @Post('rerank')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Order documents by their relevance to a query, in Cohere's format. The request reaches the provider unchanged.")
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async rerank(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('rerank', modelCaller(caller), bytes, request.raw, reply);
  }

  @Post('moderations')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Classify texts and images by what may be harmful in them, in OpenAI's format. The request reaches the provider unchanged.")
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async moderate(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('moderations', modelCaller(caller), bytes, request.raw, reply);
  }
}
