import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, Audited, Caller, csvList, IsDollars, Needs, PageQuery, PageTokens } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, Matches, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ModelEntry } from '@parlance/config';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { ModelPrices, priceAt, priceOf } from '../../adapters/pricing/model-prices.ts';
import { ExecuteModelPrices } from '../../commands/aggregates.ts';
import { cacheWriteHourOf, type Price } from '../../domain/model-prices.ts';
import { CHECK_FAILURES } from '../../workflows/checks/check-failures.ts';
import { ModelChecks } from '../../workflows/checks/model-checks.ts';
import { RFC_3339 } from './rfc-3339.ts';

/** Dollars per million tokens. */
const HIGHEST_PRICE = 9_000_000;

class PriceBody {
  @Matches(RFC_3339, { message: 'from must be a date and time as in RFC 3339, such as 2027-01-01T00:00:00Z' }) from!: string;
  @IsDollars() @Min(0) @Max(HIGHEST_PRICE) input!: number;
  @IsDollars() @Min(0) @Max(HIGHEST_PRICE) output!: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_read?: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_write?: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_write_1h?: number;
  /** For 1,000 searches of the web by the provider. */
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) web_search?: number;
}

const amount = z.number().describe('US dollars per million tokens, with at most 9 decimals.');
const PriceAnswer = z.object({
  from: z.string().meta({ format: 'date-time' }).describe('Time from which the price applies.'),
  input: amount,
  output: amount,
  cache_read: amount,
  cache_write: amount,
  cache_write_1h: amount.describe('US dollars per million tokens that the provider keeps for an hour, with at most 9 decimals.'),
  web_search: z
    .number()
    .nullable()
    .describe('US dollars for 1,000 searches of the web by the provider. Null if no price is known: they are not charged.'),
  source: z.enum(['configured', 'set']).describe('`configured`: from the catalogue. `set`: by an administrator.'),
});

const ModelAnswer = z.object({
  id: z.string(),
  name: z.string().describe('Display name.'),
  provider: z.string().describe('Name of the provider.'),
  model: z.string().describe('Name of the model at the provider.'),
  available: z.boolean().describe('Whether users can choose the model now.'),
  context_window: z.int().describe('Tokens of a prompt and its answer.'),
  max_output_tokens: z.int().nullable().describe('Tokens of an answer. Null for the default of the provider.'),
  capabilities: z.array(z.string()),
  fallbacks: z.array(z.string()).describe('Models that are used if this one fails, in order.'),
  price: PriceAnswer.nullable().describe('The current price. Null for a model without a price, which is free.'),
  prices: z
    .array(PriceAnswer)
    .describe('All prices in the order in which they apply. If two start at the same time, the one that was set is used.'),
});
type ModelAnswer = z.infer<typeof ModelAnswer>;

const ModelsAnswer = z.object({ models: z.array(ModelAnswer), next_token: z.string().nullable() });

const CheckAnswer = z.object({
  ok: z.boolean().describe('Whether the model answered.'),
  latency_ms: z.int().nonnegative().nullable().describe('Time until the answer ended or failed. Null if the provider was not called.'),
  error: z
    .object({ code: z.enum(CHECK_FAILURES), message: z.string().describe('The reason, and what to change.') })
    .nullable()
    .describe('Null if the model answered.'),
});

nameSchemas({ Model: ModelAnswer, ModelPage: ModelsAnswer, ModelCheck: CheckAnswer });

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
    private readonly clock: Clock,
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
    const rest = [...this.catalogue.entries.values()].filter(({ id }) => id > after).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const page = rest.slice(0, limit);
    const set = await this.prices.ofMany(page.map(({ id }) => id));
    const last = rest.length > limit ? page.at(-1)! : null;
    return {
      models: page.map((model) => this.answer(model, set.get(model.id)?.prices ?? [])),
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
    const model = this.catalogue.entries.get(modelId);
    if (!model) throw refuse('missing', 'model_not_found', 'There is no model with this ID in the catalogue.');
    const command = { type: 'SetPrice', price: checked(body) } as const;
    const { state } = await this.commands.execute(new ExecuteModelPrices(modelId, command));
    return this.answer(model, state.prices);
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
    const { latencyMillis, failure } = await this.checks.check(modelId, caller.userId);
    return { ok: failure === null, latency_ms: latencyMillis, error: failure };
  }

  private answer(entry: ModelEntry, set: readonly Price[]): ModelAnswer {
    const { id, name, provider, model, context_window, max_output_tokens, capabilities, fallbacks } = entry;
    const configured = this.catalogue.pricesOf(id);
    const now = priceAt(configured, set, this.clock.now());
    const all = [
      ...configured.map((price) => ({ price, source: 'configured' as const })),
      ...set.map((price) => ({ price, source: 'set' as const })),
    ];
    return {
      id,
      name: name ?? id,
      provider,
      model,
      available: this.catalogue.isAvailable(id),
      context_window,
      max_output_tokens,
      capabilities: [...capabilities],
      fallbacks: [...fallbacks],
      price: now && shown(now, set.includes(now) ? 'set' : 'configured'),
      prices: all.toSorted((a, b) => a.price.from - b.price.from).map(({ price, source }) => shown(price, source)),
    };
  }
}

const shown = (price: Price, source: 'configured' | 'set') => ({
  from: Instant.toString(price.from),
  input: dollars(price.input),
  output: dollars(price.output),
  cache_read: dollars(price.cacheRead),
  cache_write: dollars(price.cacheWrite),
  cache_write_1h: dollars(cacheWriteHourOf(price)),
  web_search: price.webSearch === undefined ? null : dollars(price.webSearch),
  source,
});

/** The price in a body whose fields are individually valid. */
function checked(body: PriceBody): Price {
  const price = priceOf(body);
  if (Number.isNaN(price.from)) throw invalid('from', 'must be a date and time that exist');
  return price;
}

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
