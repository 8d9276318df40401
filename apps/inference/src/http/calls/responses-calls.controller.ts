import { applyDecorators, Req, Res } from '@nestjs/common';
import { BodyBytes, Caller, type ReceivedBytes } from '@parlance/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { CallAnswers } from './call-answers.ts';
import { Refuses } from '@parlance/openapi';
import { AnswersCalls, CallsModel, ModelApi } from './call-routes.ts';

const AnswersResponses = (): MethodDecorator =>
  applyDecorators(
    AnswersCalls(),
    Refuses('response_chain_too_long', 400),
    Refuses('previous_response_not_found', 404),
    Refuses('response_too_large', 413),
  );

/** Calls of models in the format of OpenAI's Responses, for programs with a token. See `StoredResponsesController` for the stored ones. */
@ModelApi('v1/responses')
export class ResponsesCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @CallsModel(
    '',
    "Call a model with OpenAI's Responses. With `store`, Parlance stores the response, sealed under a key of the user, and `previous_response_id` continues a stored one. The provider stores nothing: it gets `store` as false, and the items of earlier responses in `input`. `background` and `conversation` are refused. All other fields reach a provider with this format unchanged. The request is translated for other providers.",
    AnswersResponses(),
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
