import { Controller, Get } from '@nestjs/common';
import { Answers, Summary } from '@parlance/openapi';
import { SignedIn } from '@parlance/http';
import { z } from 'zod';
import { Catalogue } from '../adapters/catalogue.ts';

const GlobalModel = z.object({
  id: z.string(),
  name: z.string(),
  available: z.boolean().describe('False if the provider of the model has no credentials. Such a model cannot be used.'),
  capabilities: z.array(z.string()).describe('For example vision, documents, reasoning, prompt_caching.'),
  context_window: z.int().describe('Tokens of the prompt and the answer.'),
  max_output_tokens: z.int().nullable().describe('Tokens of an answer; null if unknown.'),
});

const GlobalConfigAnswer = z.object({
  global_available_models: z.array(GlobalModel),
  default_model: z.string().nullable().describe('Model of a message that names none, without a bot; null if no model is available.'),
});

/** What clients must know of this installation. */
@Controller('config')
export class GlobalConfigController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get('global')
  @SignedIn()
  @Summary('Get the models of this installation.')
  @Answers(200, GlobalConfigAnswer)
  global(): z.infer<typeof GlobalConfigAnswer> {
    const { list, defaultModel } = this.catalogue;
    return {
      global_available_models: list.map((model) => ({ ...model, capabilities: [...model.capabilities] })),
      default_model: defaultModel,
    };
  }
}
