import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FreshSecondFactor } from '@parlance/calls';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, AuditedRead, Caller, csvList, issuedTo, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsIn, IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ExportFiles } from '../adapters/exports/export-files.ts';
import { foldersOf, isPeriod } from '../domain/export-period.ts';
import { ExportList, type ExportRow, ExportsOf, NewestOfExports } from '../projections/exports/export-rows.ts';
import { ExportQueries, MOST_DAYS } from '../workflows/exports/export-queries.ts';
import { asOf } from './admin-answers.ts';

const LONGEST_SQL = 20_000;
const KINDS = ['hour', 'day'] as const;
/** How long a file's address can be used. */
const DOWNLOAD_MILLIS = 900_000;

class ExportsQuery extends PageQuery {
  /** Defaults to `hour`. `day`: the files of whole days, which have the same rows as their hours. */
  @IsOptional() @IsIn(KINDS) kind?: string;
}

class SqlBody {
  @Length(1, LONGEST_SQL) sql!: string;
  /** How many of the most recent days the query reads, including today. Defaults to 31. */
  @IsOptional() @IsInt() @Min(1) @Max(MOST_DAYS) days?: number;
}

const DEFAULT_DAYS = 31;

const ExportAnswer = z.object({
  hour: z.string().describe('The hour as YYYYMMDDHH, or the day as YYYYMMDD, in UTC.'),
  datehour: z.string().describe('The same as folders: `2026/11/22/10`. For hours, the column `datehour` has this value.'),
  status: z
    .enum(['writing', 'written', 'outdated'])
    .describe('`writing`: for the first time. `outdated`: content was erased, and the file is being rewritten.'),
  key: z
    .string()
    .nullable()
    .meta({ description: 'Key of the Parquet file in the object store.', example: 'conversations/2026/11/22/10/conversations.parquet' }),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
  written_at: z.int().nullable().describe('When it was last written, in epoch seconds.'),
  writes: z.int().describe('How many times it was written.'),
});
type ExportAnswer = z.infer<typeof ExportAnswer>;

const ExportsAnswer = z.object({
  as_of: asOf,
  database: z.string().describe('Name of the database for queries.'),
  table: z.string().describe('Name of the table for queries.'),
  exports: z.array(ExportAnswer),
  next_token: z.string().nullable(),
});

const ExportFileAnswer = ExportAnswer.extend({
  as_of: asOf,
  url: z.string().nullable().meta({
    description:
      'Address for downloading the file without credentials. It works until the session or the access token of this request ends, and until `expires_at` at the latest. After that it answers 403 `address_revoked` or `address_expired`. It may answer with a redirect to the object store. Null before the file is written, and while it is outdated.',
    example: 'https://chat.example.org/files/conversations/2026/11/22/10/conversations.parquet?expires=1795600000&signature=5f2d',
  }),
  expires_at: z.int().nullable().describe('When the address expires at the latest, in epoch seconds.'),
});

const SqlAnswer = z.object({
  columns: z.array(
    z.object({
      name: z.string().meta({ example: 'PK' }),
      type: z.string().meta({ description: 'DuckDB type.', example: 'VARCHAR' }),
    }),
  ),
  rows: z.array(z.array(z.unknown())).meta({
    description: 'Values in the order of the columns. Decimals, times and integers beyond 2^53 are strings.',
    example: [['01K0000000000000000000000A']],
  }),
  truncated: z.boolean().describe('Whether there are more rows than the answer contains.'),
});

nameSchemas({ Export: ExportAnswer, ExportPage: ExportsAnswer, ExportFile: ExportFileAnswer, SqlAnswer });

const COLUMNS = ['hour', 'datehour', 'status', 'key', 'rows', 'bytes', 'written_at', 'writes'] as const;

@Controller('admin/exports')
@Needs('Admin')
export class AdminExportsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly files: ExportFiles,
    private readonly sql: ExportQueries,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
    private readonly secondFactor: FreshSecondFactor,
  ) {}

  @Get()
  @AuditedRead('view_exports', 'export')
  @Summary('List the exports of conversations by hour or by day, newest first.')
  @Answers(200, ExportsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() query: ExportsQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.page(query);
    const read = (page: PageQuery) => this.page({ kind: query.kind, ...page });
    return csvList(reply, { list: 'exports', columns: COLUMNS, read });
  }

  private async page({ limit, next_token, kind: asKind }: ExportsQuery): Promise<z.infer<typeof ExportsAnswer>> {
    const kind = asKind === 'day' ? 'day' : 'hour';
    const asked = { list: 'exports', kind };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(asked, next_token);
    const as_of = await this.queries.execute(new NewestOfExports());
    const { rows, next } = await this.queries.execute(new ExportList(kind, limit, after));
    return { as_of, ...this.sql.names, exports: rows.map(answerOf), next_token: next && this.tokens.seal(asked, next) };
  }

  @Get(':hour')
  @AuditedRead('view_export', 'export', 'hour')
  @Summary('Get the export of an hour or a day, with an address for its file.')
  @Answers(200, ExportFileAnswer)
  @Refuses('invalid_period', 400)
  @Refuses('step_up_required', 403)
  @Refuses('export_not_found', 404)
  async get(@Param('hour') hour: string, @Caller() caller: Caller): Promise<z.infer<typeof ExportFileAnswer>> {
    if (!isPeriod(hour)) throw invalidPeriod();
    await this.secondFactor.requireOfSession(caller);
    const as_of = await this.queries.execute(new NewestOfExports());
    const row = (await this.queries.execute(new ExportsOf([hour]))).get(hour);
    if (!row)
      throw refuse(
        'missing',
        'export_not_found',
        'There is no such export. Hours without conversations have none, and old exports are removed.',
      );
    if (row.status !== 'written') return { as_of, ...answerOf(row), url: null, expires_at: null };
    const expires = Instant.plus(this.clock.now(), DOWNLOAD_MILLIS);
    const { url } = await this.files.download(hour, { expiresAt: new Date(expires), issuedTo: issuedTo(caller) });
    return { as_of, ...answerOf(row), url, expires_at: Instant.toSeconds(expires) };
  }

  @Post('query')
  @HttpCode(200)
  @AuditedRead('query_exports', 'export')
  @Summary('Query the exports of the most recent days with one SELECT statement in DuckDB SQL. The statement can read nothing else.')
  @Answers(200, SqlAnswer)
  @Refuses('sql_invalid', 400)
  @Refuses('sql_not_allowed', 400)
  @Refuses('query_timeout', 400)
  @Refuses('query_memory_exceeded', 400)
  @Refuses('exports_too_large', 400)
  @Refuses('step_up_required', 403)
  @Refuses('queries_busy', 503)
  @Refuses('query_failed', 503)
  async query(@Body() { sql, days }: SqlBody, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    await this.secondFactor.requireOfSession(caller);
    const json = await this.sql.answer(sql, days ?? DEFAULT_DAYS);
    // As text, because parsing and serializing a large answer would delay other requests.
    void reply.type('application/json; charset=utf-8');
    return json;
  }
}

const answerOf = ({ period, status, written, written_at, writes }: ExportRow): ExportAnswer => ({
  hour: period,
  datehour: foldersOf(period),
  status,
  key: written?.key ?? null,
  rows: written?.rows ?? null,
  bytes: written?.bytes ?? null,
  written_at: written_at === null ? null : Instant.toSeconds(written_at),
  writes,
});

const invalidPeriod = () =>
  refuse('invalid', 'invalid_period', 'The address must end in an hour as YYYYMMDDHH or in a day as YYYYMMDD, in UTC. Correct it.', {
    errors: [{ path: 'hour', message: 'must be an hour as YYYYMMDDHH or a day as YYYYMMDD' }],
  });
