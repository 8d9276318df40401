import { Controller, Get, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  anthropicErrorForm,
  BodyBytes,
  BodyLimit,
  CACHE_HEADER,
  Caller,
  LongAnswer,
  openAiErrorForm,
  type ReceivedBytes,
  RefusesAs,
  SignedIn,
  TakesBytes,
} from '@parlance/http';
import { Answers, component, Refuses, schemaOf, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AllowedModels, type CalledModel, modelCaller } from '../../workflows/calls/allowed-models.ts';
import { MAX_REQUEST_BYTES } from '../bodies/message-body.ts';
import { CallAnswers } from './call-answers.ts';
import { AnswersCalls, CALL_REQUEST } from './call-routes.ts';

const Model = z.object({
  id: z.string().describe('For the field `model` of requests.'),
  object: z.literal('model'),
  created: z.int().describe('Always 0.'),
  owned_by: z.string().describe('The provider of the model, or `parlance` for a route.'),
});
type Model = z.infer<typeof Model>;
const MODEL = component('CallableModel', schemaOf(Model));
const MODEL_LIST = component('CallableModelList', {
  type: 'object',
  required: ['object', 'data'],
  properties: { object: { const: 'list' }, data: { type: 'array', items: MODEL } },
});

/** Calls of models in OpenAI's format, for programs with a token. */
@Controller('v1')
@SignedIn()
@RefusesAs(openAiErrorForm)
export class ModelCallsController {
  constructor(
    private readonly answers: CallAnswers,
    private readonly models: AllowedModels,
  ) {}

  @Get('models')
  @Summary('List the models and routes that the token may call.')
  @Answers(200, MODEL_LIST)
  @Refuses('models_token_needed', 403)
  list(@Caller() caller: Caller): { readonly object: 'list'; readonly data: readonly Model[] } {
    return { object: 'list', data: this.models.of(modelCaller(caller)).map(modelOf) };
  }

  @Get('models/:model')
  @Summary('Get a model that the token may call.')
  @Answers(200, MODEL)
  @Refuses('models_token_needed', 403)
  @Refuses('model_not_found', 404)
  get(@Caller() caller: Caller, @Param('model') model: string): Model {
    return modelOf(this.models.require(modelCaller(caller), model));
  }

  @Post('chat/completions')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary(
    "Call a model with OpenAI's chat completions. The request reaches a provider with this format unchanged, so all its fields are possible. It is translated for other providers.",
  )
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async complete(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers(CACHE_HEADER) _ttl?: string,
  ) {
    await this.answers.answer('chat/completions', modelCaller(caller), bytes, request.raw, reply);
  }

  @Post('embeddings')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Get embeddings of texts in OpenAI's format. The request reaches the provider unchanged.")
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async embed(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers(CACHE_HEADER) _ttl?: string,
  ) {
    await this.answers.answer('embeddings', modelCaller(caller), bytes, request.raw, reply);
  }
}

/** Calls of models in Anthropic's format, for programs with a token. */
@Controller('v1/messages')
@SignedIn()
@RefusesAs(anthropicErrorForm)
export class MessagesCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @Post()
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary(
    "Call a model with Anthropic's Messages API. The request reaches a provider with this format unchanged, so all its fields are possible. It is translated for other providers.",
  )
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async create(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers(CACHE_HEADER) _ttl?: string,
  ) {
    await this.answers.answer('messages', modelCaller(caller), bytes, request.raw, reply);
  }

  @Post('count_tokens')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Count the input tokens of a request in Anthropic's format, without a charge.")
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async count(@Caller() caller: Caller, @BodyBytes() { bytes }: ReceivedBytes, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.answers.answer('messages/count_tokens', modelCaller(caller), bytes, request.raw, reply);
  }
}

const modelOf = ({ id, owner }: CalledModel): Model => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner,
});
