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

/** Calls of models in the format of OpenAI's Responses, for programs with a token. */
@Controller('v1/responses')
@SignedIn()
@RefusesAs(openAiErrorForm)
export class ResponsesCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @Post()
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary(
    "Call a model with OpenAI's Responses. Nothing is stored: `store` is sent as false, and `background`, `previous_response_id` and `conversation` are refused. All other fields reach a provider with this format unchanged. The request is translated for other providers.",
  )
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async create(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('responses', modelCaller(caller), bytes, request.raw, reply);
  }
}
