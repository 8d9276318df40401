import { Body, Controller, Delete, Headers, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { Audited, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import { ModelPrices } from '../../../adapters/pricing/model-prices.ts';
import { notFound } from '../../../domain/catalogue/catalogue-refusals.ts';
import { CatalogueChanges } from '../../../workflows/catalogue/catalogue-changes.ts';
import { CatalogueReader } from '../../../workflows/catalogue/catalogue-reader.ts';
import { ModelAnswer, ModelAnswers } from './model-answers.ts';
import { ChangeModelBody, modelTermsIn, NewModelBody } from './model-bodies.ts';
import { checkedPrice } from './price-body.ts';

/** The terms of a new model that its request leaves out: as in the configuration. */
const DEFAULTS = { name: null, contextWindow: 8_192, maxOutputTokens: null, capabilities: [], fallbacks: [] };

@Controller('admin/models')
@Needs('Admin')
export class ModelChangesController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly reader: CatalogueReader,
    private readonly changes: CatalogueChanges,
    private readonly prices: ModelPrices,
    private readonly answers: ModelAnswers,
  ) {}

  @Post()
  @Audited('add_model', 'model')
  @Summary('Add a model of a provider, with its prices. Every replica offers it within two seconds.')
  @Answers(201, ModelAnswer)
  @Refuses('model_named_twice', 400)
  @Refuses('unknown_model', 400)
  @Refuses('unknown_provider', 400)
  @Refuses('model_exists', 409)
  @Refuses('model_name_taken', 409)
  @Refuses('model_read_only', 409)
  @Refuses('too_many_models', 409)
  @Refuses('too_many_prices', 409)
  async add(@Body() body: NewModelBody, @Res({ passthrough: true }) reply: FastifyReply): Promise<ModelAnswer> {
    const { id, provider, model, prices } = body;
    const checked = (prices ?? []).map((price, index) => checkedPrice(price, `prices.${index}.`));
    await this.changes.addModel(id, { ...DEFAULTS, ...modelTermsIn(body), provider, model }, checked);
    return this.tagged(id, reply);
  }

  @Patch(':modelId')
  @Audited('change_model', 'model', 'modelId')
  @Summary('Change a model that was added. Its prices are set with `PUT /admin/models/{id}/prices`.')
  @Answers(200, ModelAnswer)
  @Refuses('model_named_twice', 400)
  @Refuses('unknown_model', 400)
  @Refuses('unknown_provider', 400)
  @Refuses('model_not_found', 404)
  @Refuses('model_read_only', 409)
  async change(
    @Param('modelId') id: string,
    @Body() body: ChangeModelBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ModelAnswer> {
    await this.changes.changeModel(id, modelTermsIn(body), ifMatch);
    return this.tagged(id, reply);
  }

  @Delete(':modelId')
  @HttpCode(204)
  @Audited('remove_model', 'model', 'modelId')
  @Summary('Remove a model that was added. Its prices and charges are kept.')
  @Answers(204)
  @Refuses('model_not_found', 404)
  @Refuses('model_in_use', 409)
  @Refuses('model_read_only', 409)
  async remove(@Param('modelId') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.changes.removeModel(id, ifMatch);
  }

  private async tagged(id: string, reply: FastifyReply): Promise<ModelAnswer> {
    const set = await this.prices.of(id);
    const managed = await this.reader.refresh();
    const entry = this.catalogue.entries.get(id);
    if (!entry) throw notFound('model');
    const answer = this.answers.of(entry, set, managed);
    if (answer.etag !== null) reply.header('etag', answer.etag);
    return answer;
  }
}
