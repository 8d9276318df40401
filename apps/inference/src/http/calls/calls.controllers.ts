import { Get, Headers, Param, Req, Res } from '@nestjs/common';
import { anthropicErrorForm, BodyBytes, CACHE_HEADER, Caller, type ReceivedBytes } from '@parlance/http';
import { Answers, component, Refuses, schemaOf, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AllowedModels, type CalledModel, modelCaller } from '../../workflows/calls/allowed-models.ts';
import { CallAnswers } from './call-answers.ts';
import { CallsModel, ModelApi } from './call-routes.ts';

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
@ModelApi('v1')
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

  @CallsModel(
    'chat/completions',
    "Call a model with OpenAI's chat completions. The request reaches a provider with this format unchanged, so all its fields are possible. It is translated for other providers.",
  )
  async complete(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers(CACHE_HEADER) _ttl?: string,
  ) {
    await this.answers.answer('chat/completions', modelCaller(caller), bytes, request.raw, reply);
  }

  @CallsModel('embeddings', "Get embeddings of texts in OpenAI's format. The request reaches the provider unchanged.")
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
@ModelApi('v1/messages', anthropicErrorForm)
export class MessagesCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @CallsModel(
    '',
    "Call a model with Anthropic's Messages API. The request reaches a provider with this format unchanged, so all its fields are possible. It is translated for other providers.",
  )
  async create(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers(CACHE_HEADER) _ttl?: string,
  ) {
    await this.answers.answer('messages', modelCaller(caller), bytes, request.raw, reply);
  }

  @CallsModel('count_tokens', "Count the input tokens of a request in Anthropic's format, without a charge.")
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
