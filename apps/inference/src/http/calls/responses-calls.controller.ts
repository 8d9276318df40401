import { Req, Res } from '@nestjs/common';
import { BodyBytes, Caller, type ReceivedBytes } from '@parlance/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { CallAnswers } from './call-answers.ts';
import { CallsModel, ModelApi } from './call-routes.ts';

/** Calls of models in the format of OpenAI's Responses, for programs with a token. */
@ModelApi('v1/responses')
export class ResponsesCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @CallsModel(
    '',
    "Call a model with OpenAI's Responses. Nothing is stored: `store` is sent as false, and `background`, `previous_response_id` and `conversation` are refused. All other fields reach a provider with this format unchanged. The request is translated for other providers.",
  )
  async create(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('responses', modelCaller(caller), bytes, request.raw, reply);
  }
}
