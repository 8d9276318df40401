import { Body, Controller, Get, Put, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { acceptsCsv, Audited, AuditedRead, csvList, IdParam, IsDollars, Needs, PageQuery, PageTokens } from '@parlance/http';
import { dollars, HIGHEST_CHARGE, nanoDollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsOptional, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SuspiciousCharges, type SuspiciousChargeRow } from '../../projections/restatement/suspicious-charges.ts';
import { ChargeCorrections } from '../../workflows/restatement/charge-corrections.ts';

class SuspiciousChargesQuery extends PageQuery {
  @IsOptional() corrected?: boolean;
}

class CorrectionBody {
  /** US dollars, with at most 9 decimals. */
  @IsDollars() @Min(0) @Max(dollars(HIGHEST_CHARGE)) cost!: number;
}

const money = z.number().describe('US dollars, with at most 9 decimals.');
const ChargeAnswer = z.object({
  charge_id: z.string().describe('ID of the public event of the charge.'),
  create_time: z.int().describe('Time in epoch seconds.'),
  user_id: z.string().describe('ID of the user who pays.'),
  bot_id: z.string().nullable(),
  api_key_id: z.string().nullable().describe('ID of the API key of the program that made the call. Null for a user.'),
  conversation_id: z.string().nullable().describe('Null for calls for the knowledge of a bot, and for checks of a model.'),
  purpose: z.string().describe('The purpose of the call: `chat`, `title`, `tool`, `embedding`, `reranking`, `parsing`, `check` or `call`.'),
  model: z.string(),
  input_tokens: z.int().describe('All input that the provider reported, including cached tokens.'),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  as_billed: money.describe('Cost of the tokens that the provider reported, in US dollars.'),
  as_corrected: money.nullable().describe('Cost that an administrator has stated, in US dollars. Null without a correction.'),
  corrected_time: z.int().nullable().describe('Time of the last correction in epoch seconds. Null without a correction.'),
});
type ChargeAnswer = z.infer<typeof ChargeAnswer>;

const ChargesAnswer = z.object({ charges: z.array(ChargeAnswer), next_token: z.string().nullable() });

nameSchemas({ SuspiciousCharge: ChargeAnswer, SuspiciousChargePage: ChargesAnswer });

const COLUMNS = Object.keys(ChargeAnswer.shape) as (keyof ChargeAnswer)[];

@Controller('admin/costs/suspicious-charges')
@Needs('Admin')
export class SuspiciousChargesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly corrections: ChargeCorrections,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_costs', 'costs')
  @Summary(
    'List charges for which a provider reported more tokens than the call could plausibly use, the newest first. They are charged as reported.',
  )
  @Answers(200, ChargesAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() query: SuspiciousChargesQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.page(query);
    return csvList(reply, { list: 'charges', columns: COLUMNS, read: (page) => this.page({ ...query, ...page }) });
  }

  @Put(':chargeId/correction')
  @Audited('correct_charge', 'costs', 'chargeId')
  @Summary(
    'Correct the cost of a suspicious charge. The cost as billed does not change. The difference is added to the costs as corrected, and to what budgets have spent. A later correction replaces this one. Restatements do not change it.',
  )
  @Answers(200, ChargeAnswer)
  @Refuses('charge_not_found', 404)
  @Refuses('restatement_running', 409)
  @Refuses('too_many_corrected_charges', 409)
  async correct(@IdParam('chargeId') chargeId: string, @Body() { cost }: CorrectionBody): Promise<ChargeAnswer> {
    return answer(await this.corrections.correct(chargeId, nanoDollars(cost)));
  }

  private async page({ limit, next_token, corrected }: SuspiciousChargesQuery): Promise<z.infer<typeof ChargesAnswer>> {
    const isCorrected = corrected ?? null;
    const listing = { list: 'suspicious-charges', isCorrected };
    const after = next_token === undefined ? undefined : this.tokens.open<Cursor>(listing, next_token);
    const { rows, next } = await this.queries.execute(new SuspiciousCharges({ limit, isCorrected, ...(after && { after }) }));
    return { charges: rows.map(answer), next_token: next && this.tokens.seal(listing, next) };
  }
}

const answer = (charge: SuspiciousChargeRow): ChargeAnswer => ({
  charge_id: charge.charge_id,
  create_time: Instant.toSeconds(charge.at),
  user_id: charge.user_id,
  bot_id: charge.bot_id,
  api_key_id: charge.api?.keyId ?? null,
  conversation_id: charge.conversation_id,
  purpose: charge.purpose,
  model: charge.model,
  input_tokens: charge.usage.inputTokens,
  output_tokens: charge.usage.outputTokens,
  cache_read_tokens: charge.usage.cacheReadTokens,
  cache_write_tokens: charge.usage.cacheWriteTokens,
  as_billed: dollars(charge.nano_dollars),
  as_corrected: charge.corrected_nano_dollars === null ? null : dollars(charge.corrected_nano_dollars),
  corrected_time: charge.corrected_at === null ? null : Instant.toSeconds(charge.corrected_at),
});
