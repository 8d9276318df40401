import { Controller, Get, Param } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Caller, openAiErrorForm, Published, RefusesAs } from '@parlance/http';
import { Answers, component, Refuses, schemaOf, Summary } from '@parlance/openapi';
import { z } from 'zod';
import { OpenAiReplies } from './openai-replies.ts';

const Model = z.object({
  id: z.string().describe('For the field `model` of requests.'),
  object: z.literal('model'),
  created: z.int().describe('Always 0.'),
  owned_by: z.literal('parlance'),
});
type Model = z.infer<typeof Model>;
const MODEL = component('PublishedModel', schemaOf(Model));

interface ModelList {
  readonly object: 'list';
  readonly data: readonly Model[];
}
const MODEL_LIST = component('PublishedModelList', {
  type: 'object',
  required: ['object', 'data'],
  properties: { object: { const: 'list' }, data: { type: 'array', items: MODEL } },
});

const modelOf = (id: string): Model => ({ id, object: 'model', created: 0, owned_by: 'parlance' });

/** The models that a published bot may use. */
@Controller('published/:apiId/:stage/v1/models')
@Published()
@RefusesAs(openAiErrorForm)
export class PublishedModelsController {
  constructor(private readonly replies: OpenAiReplies) {}

  @Get()
  @Summary('List the models that requests may name. The first one is the default.')
  @Answers(200, MODEL_LIST)
  @Refuses('bot_not_found', 404)
  @Refuses('model_not_found', 404)
  async list(@Caller() caller: Caller): Promise<ModelList> {
    return { object: 'list', data: (await this.replies.models(caller)).map(modelOf) };
  }

  @Get(':model')
  @Summary('Get a model that requests may name.')
  @Answers(200, MODEL)
  @Refuses('bot_not_found', 404)
  @Refuses('model_not_found', 404)
  async get(@Caller() caller: Caller, @Param('model') model: string): Promise<Model> {
    const models = await this.replies.models(caller);
    if (!models.includes(model)) throw refuse('missing', 'model_not_found', 'There is no such model for this bot. See the list of models.');
    return modelOf(model);
  }
}
