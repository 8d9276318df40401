import { Controller, Get } from '@nestjs/common';
import { Clock } from '@parlance/foundation';
import { SignedIn } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, nameSchemas, Summary } from '@parlance/openapi';
import { z } from 'zod';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { cacheWriteHourOf, type Price } from '../../domain/model-prices.ts';
import { type AllowedModel, AllowedModels } from '../../workflows/calls/allowed-models.ts';
import { ENDPOINTS } from '../../workflows/calls/gateway-calls.ts';
import { CallPlans } from '../../workflows/calls/routes/call-plans.ts';

const amount = z.number().describe('US dollars per million tokens.');
const PricedModel = z.object({
  id: z.string().describe('For the field `model` of requests.'),
  name: z.string().describe('Display name.'),
  endpoints: z.array(z.string()).describe('Paths below /v1/ that the model can be called with, such as chat/completions.'),
  capabilities: z.array(z.string()).describe('For example vision, documents, reasoning, prompt_caching.'),
  context_window: z.int().describe('Tokens of the prompt and the answer.'),
  max_output_tokens: z.int().nullable().describe('Tokens of an answer. Null if unknown.'),
  price: z
    .object({ input: amount, output: amount, cache_read: amount, cache_write: amount, cache_write_1h: amount })
    .nullable()
    .describe('The current price. Null for a model that is free.'),
});
type PricedModel = z.infer<typeof PricedModel>;
const PricedModels = z.object({ models: z.array(PricedModel) });
nameSchemas({ PricedModel, PricedModelList: PricedModels });

/** The models for programs, described for the user who chooses one. */
@Controller('user/me/models')
@SignedIn()
export class CallableModelsController {
  constructor(
    private readonly models: AllowedModels,
    private readonly plans: CallPlans,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Summary(
    'List the models that your tokens with the scope `models` may call, unless the terms of a token exclude them, with their prices.',
  )
  @Answers(200, PricedModels)
  async list(): Promise<z.infer<typeof PricedModels>> {
    const described = this.models.all.map((model): Promise<PricedModel> | null => {
      const endpoints = Object.entries(ENDPOINTS).flatMap(([path, needed]) =>
        this.plans.providerFor(model, needed) === undefined ? [] : path,
      );
      return endpoints.length === 0 ? null : this.describe(model.entry, endpoints);
    });
    return { models: (await Promise.all(described)).filter((model) => model !== null) };
  }

  private async describe(
    { id, name, capabilities, context_window, max_output_tokens }: AllowedModel['entry'],
    endpoints: readonly string[],
  ): Promise<PricedModel> {
    const price = await this.catalogue.priceAt(id, this.clock.now());
    return {
      id,
      name: name ?? id,
      endpoints: [...endpoints],
      capabilities: [...capabilities],
      context_window,
      max_output_tokens,
      price: price && shown(price),
    };
  }
}

const shown = (price: Price) => ({
  input: dollars(price.input),
  output: dollars(price.output),
  cache_read: dollars(price.cacheRead),
  cache_write: dollars(price.cacheWrite),
  cache_write_1h: dollars(cacheWriteHourOf(price)),
});
