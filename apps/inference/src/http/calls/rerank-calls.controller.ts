import { Req, Res } from '@nestjs/common';
import { BodyBytes, Caller, type ReceivedBytes } from '@parlance/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { CallAnswers } from './call-answers.ts';
import { CallsModel, ModelApi } from './call-routes.ts';

/** Calls of models that judge texts, for programs with a token. */
@ModelApi('v1')
export class RerankCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @CallsModel('rerank', "Order documents by their relevance to a query, in Cohere's format. The request reaches the provider unchanged.")
  async rerank(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('rerank', modelCaller(caller), bytes, request.raw, reply);
  }

  @CallsModel(
    'moderations',
    "Classify texts and images by what may be harmful in them, in OpenAI's format. The request reaches the provider unchanged.",
  )
  async moderate(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('moderations', modelCaller(caller), bytes, request.raw, reply);
  }
}
