import { Controller, Get, Injectable, Query, Req, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { acceptsCsv, AuditedRead, Caller, csvList, Limit, Needs, PageTokens, SignedIn } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CALL_STATUSES, type CallStatus } from '../../domain/calls/call-record.ts';
import { callRecords } from '../../projections/calls/call-records.ts';
import { type CallAmounts, CallSums, NO_CALLS } from '../../workflows/calls/call-sums.ts';
import { listedCall } from '../../workflows/calls/listed-call.ts';
import { type CallsCursor, type CallsFilter, RecordedCalls } from '../../workflows/calls/recorded-calls.ts';
import { AsOf, NewestOfLog } from '../admin/newest-of-log.ts';

const LONGEST_TAG = 256;
const HOUR = /^[2-9]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])$/;
const hour = { message: 'must be an hour in UTC, YYYYMMDDHH' };

class OwnCallsFilter {
  /** ID of a token. */
  @IsOptional() @Length(1, 128) token?: string;
  /** ID of a model or of a route. */
  @IsOptional() @Length(1, 200) model?: string;
  @IsOptional() @Length(1, 128) cost_centre?: string;
  /** The name of a tag, or its name and value as `name:value`. */
  @IsOptional() @Length(1, LONGEST_TAG) tag?: string;
  @IsOptional() @IsIn(CALL_STATUSES) status?: string;
  /** First hour in UTC. */
  @IsOptional() @Matches(HOUR, hour) start?: string;
  /** Last hour in UTC, included. */
  @IsOptional() @Matches(HOUR, hour) end?: string;
}

class OwnCallsQuery extends OwnCallsFilter {
  @Limit() limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}

class AdminCallsFilter extends OwnCallsFilter {
  /** ID of a user. */
  @IsOptional() @Length(1, 128) user?: string;
}

class CallsQuery extends AdminCallsFilter {
  @Limit() limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}

const Call = z.object({
  call_id: z.string().describe('The x-parlance-call of the answer.'),
  create_time: z.int().describe('When the call began, in epoch seconds.'),
  user_id: z.string(),
  token_id: z.string(),
  endpoint: z.string().describe('Path below /v1/.'),
  model: z.string().describe('The model that is charged.'),
  route: z.string().nullable().describe('The route that the caller named. Null for a model.'),
  tries: z
    .int()
    .describe('How many times models of the route were called so far. An attempt that may be billed is listed as a call of its own.'),
  status: z
    .enum(CALL_STATUSES)
    .describe(
      'How it ended. `unsettled`: it is not known, so the most that it can have cost is charged. `blocked`: a policy refused the request or withheld the answer.',
    ),
  http_status: z.int().nullable().describe('Status of the answer of the provider. Null without an answer.'),
  cached: z.boolean().describe('Whether the answer came from the cache.'),
  cost: z.number().describe('US dollars.'),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  estimated: z.boolean().describe('Whether the tokens were counted here because the provider did not report them.'),
  web_searches: z.int().describe('Searches of the web by the provider.'),
  unpriced: z
    .array(z.string())
    .describe(
      'What the provider bills besides `cost`, because no price is known: `web_search`, or a service tier such as `service_tier_priority`.',
    ),
  cost_centre: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  policies: z
    .array(
      z.object({
        id: z.string(),
        stage: z.enum(['input', 'output']),
        action: z.enum(['flag', 'mask', 'block']),
        found: z.array(z.object({ detector: z.string(), count: z.int() })),
      }),
    )
    .describe('Policies of the installation that have found something in the request (`input`) or in the answer (`output`).'),
  first_byte_ms: z.int().nullable().describe('Milliseconds until the answer of the provider began.'),
  duration_ms: z.int(),
});
type Call = z.infer<typeof Call>;
const CallPage = z.object({ calls: z.array(Call), next_token: z.string().nullable(), as_of: AsOf });
type CallPage = z.infer<typeof CallPage>;
const amounts = { calls: z.int(), cost: z.number().describe('US dollars.'), input_tokens: z.int(), output_tokens: z.int() };
const CallSummary = z.object({
  ...amounts,
  daily: z
    .array(z.object({ date: z.string().meta({ format: 'date' }), ...amounts }))
    .describe('Days in UTC with calls, the earliest first.'),
  included_from: z
    .string()
    .nullable()
    .describe('Null if all calls are included. Otherwise there are too many, and those before this hour in UTC (YYYYMMDDHH) are not.'),
  as_of: AsOf,
});
type CallSummary = z.infer<typeof CallSummary>;
nameSchemas({ RecordedCall: Call, RecordedCallPage: CallPage, CallSummary });

const COLUMNS = (Object.keys(Call.shape) as (keyof Call)[]).filter((name) => name !== 'tags' && name !== 'policies' && name !== 'unpriced');
const ENDS = 'A page with filters may have fewer calls than `limit`; there are more while `next_token` is not null.';

/** Reads pages and sums of calls. */
@Injectable()
export class CallLists {
  constructor(
    private readonly calls: RecordedCalls,
    private readonly sums: CallSums,
    private readonly newest: NewestOfLog,
    private readonly tokens: PageTokens,
  ) {}

  /** `ownToken`: the only token whose calls are listed. Null for all. */
  async page({ limit, next_token, ...query }: CallsQuery, userId: string | null, ownToken: string | null = null): Promise<CallPage> {
    const filter = this.filterOf({ ...query, ...(ownToken !== null && { token: ownToken }) }, userId);
    const listing = { list: 'calls', query: { ...query }, userId, ...(ownToken !== null && { token: ownToken }) };
    const cursor = next_token === undefined ? null : this.tokens.open<CallsCursor>(listing, next_token);
    const as_of = await this.newest.included([callRecords.name]);
    if (isOfAnother(query, ownToken)) return { calls: [], next_token: null, as_of };
    const { calls, next } = await this.calls.page(filter, limit, cursor);
    return { calls: calls.map(listedCall), next_token: next && this.tokens.seal(listing, next), as_of };
  }

  /** `ownToken`: as for `page`. */
  async summary(query: OwnCallsFilter, userId: string | null, ownToken: string | null = null): Promise<CallSummary> {
    const filter = this.filterOf({ ...query, ...(ownToken !== null && { token: ownToken }) }, userId);
    const as_of = await this.newest.included([callRecords.name]);
    if (isOfAnother(query, ownToken)) return { ...shownAmounts(NO_CALLS), daily: [], included_from: null, as_of };
    const { total, days, from } = await this.sums.of(filter);
    const daily = days.map(({ date, ...its }) => ({ date, ...shownAmounts(its) }));
    return { ...shownAmounts(total), daily, included_from: from && from.replaceAll(/[-T]/g, ''), as_of };
  }

  private filterOf({ token, model, cost_centre, tag, status, start, end }: OwnCallsFilter, userId: string | null): CallsFilter {
    if ((start === undefined) !== (end === undefined)) throw wrongWindow(start === undefined ? 'start' : 'end', 'is missing');
    if (start !== undefined && end !== undefined && end < start) throw wrongWindow('end', 'must not be before start');
    const kept = this.calls.kept;
    const [name, ...value] = tag?.split(':') ?? [];
    return {
      userId,
      tokenId: token ?? null,
      model: model ?? null,
      costCentre: cost_centre ?? null,
      tag: name === undefined ? null : { name, value: value.length === 0 ? null : value.join(':') },
      status: (status as CallStatus | undefined) ?? null,
      from: start === undefined ? kept.from : hourOf(start),
      to: end === undefined ? kept.to : hourOf(end),
    };
  }
}

@Controller('admin/calls')
@Needs('Admin')
export class AdminCallsController {
  constructor(private readonly lists: CallLists) {}

  @Get()
  @AuditedRead('view_costs', 'costs')
  @Summary(`List calls of models without a bot, those of the newest hour first. ${ENDS}`)
  @Answers(200, CallPage)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  list(@Query() query: CallsQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const read = (its: CallsQuery) => this.lists.page(its, its.user ?? null);
    if (!acceptsCsv(request.headers.accept)) return read(query);
    return csvList(reply, { list: 'calls', columns: COLUMNS, read: (page) => read({ ...query, ...page }) });
  }

  @Get('summary')
  @AuditedRead('view_costs', 'costs')
  @Summary('Sum up calls of models without a bot, in all and by day.')
  @Answers(200, CallSummary)
  @Refuses('invalid_window', 400)
  summary(@Query() query: AdminCallsFilter): Promise<CallSummary> {
    return this.lists.summary(query, query.user ?? null);
  }
}

@Controller('user/me/calls')
@SignedIn()
export class OwnCallsController {
  constructor(private readonly lists: CallLists) {}

  @Get()
  @Summary(
    `List your own calls of models without a bot, those of the newest hour first. A token with the scope models lists its own. ${ENDS}`,
  )
  @Answers(200, CallPage)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  list(
    @Query() query: OwnCallsQuery,
    @Caller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = (its: OwnCallsQuery) => this.lists.page(its, caller.userId, ownTokenOf(caller));
    if (!acceptsCsv(request.headers.accept)) return read(query);
    return csvList(reply, { list: 'calls', columns: COLUMNS, read: (page) => read({ ...query, ...page }) });
  }

  @Get('summary')
  @Summary('Sum up your own calls of models without a bot, in all and by day. A token with the scope models sums up its own.')
  @Answers(200, CallSummary)
  @Refuses('invalid_window', 400)
  summary(@Query() query: OwnCallsFilter, @Caller() caller: Caller): Promise<CallSummary> {
    return this.lists.summary(query, caller.userId, ownTokenOf(caller));
  }
}

/** As 2026-11-29T06. */
const hourOf = (compact: string): string => compact.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4');

const wrongWindow = (path: string, message: string) =>
  refuse('invalid', 'invalid_window', `The parameter ${path} ${message}.`, { errors: [{ path, message }] });

/** Whether a caller that may see the calls of one token asks for those of another. */
const isOfAnother = ({ token }: OwnCallsFilter, ownToken: string | null): boolean => ownToken !== null && (token ?? ownToken) !== ownToken;

/** The only token whose calls a token with the scope models may see. Null for other callers. */
const ownTokenOf = ({ tokenId, callTerms }: Caller): string | null => (callTerms === undefined ? null : (tokenId ?? null));

const shownAmounts = ({ calls, nanoDollars, inputTokens, outputTokens }: CallAmounts) => ({
  calls,
  cost: dollars(nanoDollars),
  input_tokens: inputTokens,
  output_tokens: outputTokens,
});
