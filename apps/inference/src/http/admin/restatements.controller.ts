import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { EventStore, newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, Audited, AuditedRead, csvList, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsBoolean, IsOptional, Length, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { EffectivePrices } from '../../adapters/pricing/effective-prices.ts';
import { ExecuteRestatements } from '../../commands/aggregates.ts';
import { RestatementById, RestatementList, type RestatementRow } from '../../projections/restatement/restatements.ts';
import { Restating } from '../../workflows/restatement/restating.ts';
import { RFC_3339 } from './rfc-3339.ts';

class RestateBody {
  @Matches(RFC_3339, { message: 'from must be a date and time as in RFC 3339, such as 2027-01-01T00:00:00Z' }) from!: string;
  /** ID of one model. Absent for all models. */
  @IsOptional() @Length(1, 200) model?: string;
  /** Whether to only show the result. */
  @IsBoolean() dry_run!: boolean;
}

const money = z.number().describe('US dollars, with at most 9 decimals.');
const ModelRestated = z.object({
  model: z.string(),
  calls: z.int().describe('Charged calls to the model.'),
  input_tokens: z.int().describe('All input, including cached tokens.'),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  as_billed: money.describe('Cost as charged, in US dollars.'),
  as_corrected: money.describe('Cost at the prices of this restatement, in US dollars.'),
  difference: money.describe('`as_corrected` minus `as_billed`, in US dollars.'),
  as_corrected_before: money.describe('Cost at the prices of earlier restatements, in US dollars.'),
});

const RestatementAnswer = z.object({
  id: z.string(),
  from: z.string().meta({ format: 'date-time' }).describe('Usage since this time is calculated again.'),
  model: z.string().nullable().describe('Null for all models.'),
  dry_run: z.boolean().describe('Whether the result is only shown.'),
  status: z.enum(['running', 'completed']).describe('While it is `running`, `models` has the results so far.'),
  create_time: z.int().describe('Time in epoch seconds. Usage until then is included.'),
  finished_time: z.int().nullable().describe('Time in epoch seconds. Null while it runs.'),
  models: z.array(ModelRestated).describe('Models with usage and a price, by ID.'),
  total: z.object({ as_billed: money, as_corrected: money, difference: money }),
});
type RestatementAnswer = z.infer<typeof RestatementAnswer>;

/** CSV leaves out the results of each model. */
const COLUMNS = [
  'id',
  'from',
  'model',
  'dry_run',
  'status',
  'create_time',
  'finished_time',
  'as_billed',
  'as_corrected',
  'difference',
] as const;

const RestatementsAnswer = z.object({ restatements: z.array(RestatementAnswer), next_token: z.string().nullable() });

nameSchemas({ Restatement: RestatementAnswer, RestatementPage: RestatementsAnswer });

@Controller('admin/costs')
@Needs('Admin')
export class RestatementsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly catalogue: Catalogue,
    private readonly prices: EffectivePrices,
    private readonly store: EventStore,
    private readonly tokens: PageTokens,
    private readonly restating: Restating,
    private readonly clock: Clock,
  ) {}

  @Post('restate')
  @HttpCode(202)
  @Audited('restate_costs', 'costs')
  @Summary(
    'Recalculate past usage at current prices. Costs as billed do not change. The differences are added to the costs as corrected. With dry_run the result is only shown.',
  )
  @Answers(202, RestatementAnswer)
  @Refuses('model_not_found', 404)
  @Refuses('restatement_running', 409)
  @Refuses('too_many_prices', 409)
  @Refuses('too_many_restatements', 409)
  async restate(@Body() { from: text, model: one, dry_run: isDry }: RestateBody): Promise<RestatementAnswer> {
    const [from, now, model] = [Instant.parse(text), this.clock.now(), one ?? null];
    if (Number.isNaN(from)) throw invalid('must be a date and time that exist');
    if (from > now) throw invalid('must not be in the future');
    if (model !== null && !this.catalogue.entries.has(model))
      throw refuse('missing', 'model_not_found', 'There is no model with this ID in the catalogue.');
    const prices = await this.prices.between(from, now, model);
    const id = newId();
    const until = await this.store.head();
    await this.commands.execute(new ExecuteRestatements({ type: 'Request', id, from, model, isDry, prices, until, now }));
    this.restating.wake();
    return answer((await this.queries.execute(new RestatementById(id)))!);
  }

  @Get('restatements')
  @AuditedRead('view_costs', 'costs')
  @Summary('List restatements with their results, the newest first. The newest 1,000 are kept.')
  @Answers(200, RestatementsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() query: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.page(query);
    const read = async (page: PageQuery) => {
      const { restatements, next_token } = await this.page(page);
      return { restatements: restatements.map(({ total, ...its }) => ({ ...its, ...total })), next_token };
    };
    return csvList(reply, { list: 'restatements', columns: COLUMNS, read });
  }

  private async page({ limit, next_token }: PageQuery): Promise<z.infer<typeof RestatementsAnswer>> {
    const listing = { list: 'restatements' };
    const after = next_token === undefined ? undefined : this.tokens.open<Cursor>(listing, next_token);
    const { rows, next } = await this.queries.execute(new RestatementList(limit, after));
    return { restatements: rows.map(answer), next_token: next && this.tokens.seal(listing, next) };
  }

  @Get('restatements/:restatementId')
  @AuditedRead('view_costs', 'costs')
  @Summary('Get a restatement with its results for each model.')
  @Answers(200, RestatementAnswer)
  @Refuses('restatement_not_found', 404)
  async one(@IdParam('restatementId') id: string): Promise<RestatementAnswer> {
    const row = await this.queries.execute(new RestatementById(id));
    if (!row) throw refuse('missing', 'restatement_not_found', 'There is no restatement with this ID.');
    return answer(row);
  }
}

function answer({ id, from, model, is_dry, status, create_time, finished_time, models }: RestatementRow): RestatementAnswer {
  const all = Object.entries(models).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [asBilled, asCorrected] = (['asBilled', 'asCorrected'] as const).map((field) => all.reduce((sum, [, its]) => sum + its[field], 0));
  return {
    id,
    from: Instant.toString(from),
    model,
    dry_run: is_dry,
    status,
    create_time: Instant.toSeconds(create_time),
    finished_time: finished_time === null ? null : Instant.toSeconds(finished_time),
    models: all.map(([name, its]) => ({
      model: name,
      calls: its.calls,
      input_tokens: its.inputTokens,
      output_tokens: its.outputTokens,
      cache_read_tokens: its.cacheReadTokens,
      cache_write_tokens: its.cacheWriteTokens,
      ...amounts(its.asBilled, its.asCorrected),
      as_corrected_before: dollars(its.before),
    })),
    total: amounts(asBilled!, asCorrected!),
  };
}

const amounts = (asBilled: number, asCorrected: number) => ({
  as_billed: dollars(asBilled),
  as_corrected: dollars(asCorrected),
  difference: dollars(asCorrected - asBilled),
});

const invalid = (message: string) =>
  refuse('invalid', 'invalid_body', `The field from ${message}.`, { errors: [{ path: 'from', message }] });
