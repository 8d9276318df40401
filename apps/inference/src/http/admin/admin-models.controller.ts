import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { acceptsCsv, Audited, Caller, csvList, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { ModelPrices } from '../../adapters/pricing/model-prices.ts';
import { ExecuteModelPrices } from '../../commands/aggregates.ts';
import { CatalogueReader } from '../../workflows/catalogue/catalogue-reader.ts';
import { ModelChecks } from '../../workflows/checks/model-checks.ts';
import { CheckAnswer } from './catalogue/catalogue-answers.ts';
import { ModelAnswer, ModelAnswers, ModelsAnswer } from './catalogue/model-answers.ts';
import { checkedPrice, PriceBody } from './catalogue/price-body.ts';

const COLUMNS = [
  'id',
  'name',
  'provider',
  'model',
  'available',
  'context_window',
  'max_output_tokens',
  'capabilities',
  'fallbacks',
  'price_from',
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'web_search',
  'source',
  'read_only',
] as const;

@Controller('admin/models')
@Needs('Admin')
export class AdminModelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly catalogue: Catalogue,
    private readonly prices: ModelPrices,
    private readonly tokens: PageTokens,
    private readonly checks: ModelChecks,
    private readonly reader: CatalogueReader,
    private readonly answers: ModelAnswers,
  ) {}

  @Get()
  @Summary('List the models of the catalogue with their prices, by ID. Models that are not available are included.')
  @Answers(200, ModelsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return csvList(reply, { list: 'models', columns: COLUMNS, read: (its) => this.rows(its) });
    return this.page(page);
  }

  /** Rows for CSV, with the current price in columns. */
  private async rows(page: PageQuery) {
    const { models, next_token } = await this.page(page);
    const rows = models.map(({ price, ...model }) => ({
      ...model,
      price_from: price?.from ?? null,
      input: price?.input ?? null,
      output: price?.output ?? null,
      cache_read: price?.cache_read ?? null,
      cache_write: price?.cache_write ?? null,
      cache_write_1h: price?.cache_write_1h ?? null,
      web_search: price?.web_search ?? null,
    }));
    return { models: rows, next_token };
  }

  private async page({ limit, next_token }: PageQuery): Promise<z.infer<typeof ModelsAnswer>> {
    const listing = { list: 'admin-models' };
    const after = next_token === undefined ? '' : this.tokens.open<string>(listing, next_token);
    const managed = await this.reader.refresh();
    const rest = [...this.catalogue.entries.values()].filter(({ id }) => id > after).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const page = rest.slice(0, limit);
    const set = await this.prices.ofMany(page.map(({ id }) => id));
    const last = rest.length > limit ? page.at(-1)! : null;
    return {
      models: page.map((model) => this.answers.of(model, set.get(model.id)?.prices ?? [], managed)),
      next_token: last && this.tokens.seal(listing, last.id),
    };
  }

  @Put(':modelId/prices')
  @Audited('set_model_price', 'model', 'modelId')
  @Summary(
    'Set the price of a model from a given time, which can be in the past. Replaces a price that starts at the same time. Earlier charges do not change. Restate the costs to correct them.',
  )
  @Answers(200, ModelAnswer)
  @Refuses('model_not_found', 404)
  @Refuses('too_many_prices', 409)
  async set(@Param('modelId') modelId: string, @Body() body: PriceBody): Promise<ModelAnswer> {
    const managed = await this.reader.refresh();
    const model = this.catalogue.entries.get(modelId);
    if (!model) throw refuse('missing', 'model_not_found', 'There is no model with this ID in the catalogue.');
    const command = { type: 'SetPrice', price: checkedPrice(body) } as const;
    const { state } = await this.commands.execute(new ExecuteModelPrices(modelId, command));
    return this.answers.of(model, state.prices, managed);
  }

  @Post(':modelId/check')
  @HttpCode(200)
  @Audited('check_model', 'model', 'modelId')
  @Summary(
    'Check whether a model works with a short call: a few tokens within 15 seconds, without retries and fallbacks. The call is charged to the administrator.',
  )
  @Answers(200, CheckAnswer)
  @Refuses('model_not_found', 404)
  @Refuses('budget_exceeded', 429)
  async check(@Caller() caller: Caller, @Param('modelId') modelId: string): Promise<z.infer<typeof CheckAnswer>> {
    await this.reader.refresh();
    const { latencyMillis, failure } = await this.checks.check(modelId, caller.userId);
    return { ok: failure === null, latency_ms: latencyMillis, error: failure };
  }
}
