import { setImmediate } from 'node:timers/promises';
import { Controller, Get, Logger, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { acceptsCsv, AuditedRead, csv, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { openOrigin } from '@parlance/foundation';
import { IsBoolean, IsInt, IsOptional, Length, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditEntries, type AuditFilter, auditIndexOf, type AuditPage, type AuditRow } from '../projections/audit-log.ts';
import { AuditLogVerified, type Verdict } from '../projections/audit-verification.ts';
import { ExportAuditHead } from '../workflows/export-audit-head.ts';
import { LongVerification } from '../workflows/long-verification.ts';
import { SubjectNames } from '../workflows/subject-names.ts';
import { AuditLogAnswer, AuditVerdictAnswer } from './answers.ts';

class WindowQuery extends PageQuery {
  @IsOptional() @IsInt() @Min(0) start_time?: number;
  @IsOptional() @IsInt() @Min(0) end_time?: number;
}

class AuditLogQuery extends WindowQuery {
  @IsOptional() @Length(1, 128) user_id?: string;
  @IsOptional() @Length(1, 128) action_type?: string;
  @IsOptional() @Length(1, 128) resource_type?: string;
  @IsOptional() @Length(1, 128) resource_id?: string;
  @IsOptional() success?: boolean;
  /** Leave out refused session refreshes by unknown callers, such as browsers whose session has ended. */
  @IsOptional() @IsBoolean() without_noise?: boolean;
}

interface AuditedIds {
  readonly user_id: string;
  readonly resource_type: string;
  readonly resource_id: string;
}

const COLUMNS = [
  'id',
  'timestamp',
  'user_id',
  'user_name',
  'action_type',
  'resource_type',
  'resource_id',
  'resource_name',
  'success',
  'error_message',
  'ip_address',
  'user_agent',
  'details',
] as const;
/** The kinds of resources whose ID is a readable name. */
const NAMED_BY_ID: ReadonlySet<string> = new Set(['group', 'model', 'service', 'export']);
/** The number of entries on one CSV page. Their names are fetched in two calls. */
const CSV_PAGE = 500;

/** The number of entries opened in one turn of the event loop, which takes about 2 ms. */
const OPENED_AT_ONCE = 100;

@Controller('admin/audit-logs')
export class AuditLogController {
  private readonly logger = new Logger('AuditLog');
  private readonly verification = new LongVerification(() => this.verdict());

  constructor(
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
    private readonly exported: ExportAuditHead,
    private readonly vault: Vault,
    private readonly names: SubjectNames,
  ) {}

  @Get()
  @Needs('Admin')
  @AuditedRead('view_audit_log', 'audit_log')
  @Summary('List audited actions and refusals, newest first. An entry must match all filters.')
  @Answers(200, AuditLogAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  list(@Query() query: AuditLogQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { limit, next_token, start_time, end_time, ...fields } = query;
    return this.answer({ ...fields, ...windowOf(query) }, query, request, reply);
  }

  @Get('verify')
  @Needs('Admin')
  @AuditedRead('verify_audit_log', 'audit_log')
  @Summary('Verify the audit log: recompute its hash chain, and compare it with the listed entries and the exported head.')
  @Answers(200, AuditVerdictAnswer)
  @Refuses('verification_running', 503)
  async verify(): Promise<AuditVerdictAnswer> {
    const { checked, head, broken } = await this.verification.outcome();
    if (broken) this.logger.error(`the audit log differs from its recorded entries: entry ${broken.id} ${broken.reason}`);
    return { valid: broken === null, checked, head: head && { id: head.id, hash: head.hash }, first_broken: broken?.id ?? null };
  }

  @Get('resource/bot/:bot_id')
  @Needs('Admin')
  @AuditedRead('view_audit_log', 'bot', 'bot_id')
  @Summary('List the audited actions on a bot, newest first.')
  @Answers(200, AuditLogAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  ofBot(
    @IdParam('bot_id') botId: string,
    @Query() query: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.answer({ resource_type: 'bot', resource_id: botId }, query, request, reply);
  }

  @Get('user/:user_id')
  @Needs('Admin')
  @AuditedRead('view_audit_log', 'user', 'user_id')
  @Summary('List the audited actions of a user, newest first.')
  @Answers(200, AuditLogAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  ofUser(
    @Param('user_id') userId: string,
    @Query() query: WindowQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.answer({ user_id: userId, ...windowOf(query) }, query, request, reply);
  }

  private async verdict(): Promise<Verdict> {
    return this.queries.execute(new AuditLogVerified(await this.exported.heads()));
  }

  /** Opens IP addresses and user agents. Those of an erased user are null. */
  private async opened(rows: readonly AuditRow[]) {
    const entries = [];
    for (let from = 0; from < rows.length; from += OPENED_AT_ONCE) {
      const some = rows.slice(from, from + OPENED_AT_ONCE);
      entries.push(...(await Promise.all(some.map((row) => this.shown(row)))));
      await setImmediate();
    }
    return entries;
  }

  private async shown({ hash: _, position: __, ...entry }: AuditRow) {
    const ip_address = await openOrigin(this.vault, entry.ip_address);
    return { ...entry, ip_address, user_agent: await openOrigin(this.vault, entry.user_agent) };
  }

  /** Adds the current names of users and bots: the log itself has only IDs. */
  private async named<E extends AuditedIds>(entries: readonly E[]) {
    const idsOf = (type: string) => entries.flatMap(({ resource_type, resource_id }) => (resource_type === type ? [resource_id] : []));
    const different = (ids: readonly string[]) => [...new Set(ids)].filter((id) => id !== '');
    const users = different([...entries.map(({ user_id }) => user_id), ...idsOf('user')]);
    const names = await this.names.known({ users, bots: different(idsOf('bot')) });
    const nameOf = ({ resource_type, resource_id }: AuditedIds) =>
      NAMED_BY_ID.has(resource_type) && resource_id !== ''
        ? resource_id
        : (names[resource_type as keyof typeof names]?.get(resource_id) ?? null);
    return entries.map((entry) => ({ ...entry, user_name: names.user.get(entry.user_id) ?? null, resource_name: nameOf(entry) }));
  }

  /** Answers with a page, or with the complete list if the request accepts CSV. */
  private async answer(filter: AuditFilter, query: PageQuery, request: FastifyRequest, reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.page(filter, query);
    void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="audit-log.csv"');
    return csv(COLUMNS, this.csvPages(filter));
  }

  private async *csvPages(filter: AuditFilter) {
    for (let after: Cursor | undefined, isFirst = true; isFirst || after; isFirst = false) {
      const { rows, next }: AuditPage = await this.queries.execute(new AuditEntries(filter, CSV_PAGE, after));
      yield (await this.named(await this.opened(rows))).map(({ details, ...entry }) => ({ ...entry, details: JSON.stringify(details) }));
      after = next ?? undefined;
    }
  }

  private async page(filter: AuditFilter, { limit, next_token }: PageQuery): Promise<AuditLogAnswer> {
    // A cursor belongs to an index, so cursors of a release with other indexes are refused.
    const asked = { list: 'audit-logs', index: auditIndexOf(filter), ...filter };
    const after = next_token === undefined ? undefined : (this.tokens.open(asked, next_token) as Cursor);
    const { as_of, rows, next } = await this.queries.execute(new AuditEntries(filter, limit, after));
    return {
      as_of,
      audit_logs: await this.named(await this.opened(rows)),
      next_token: next && this.tokens.seal(asked, next),
    };
  }
}

function windowOf({ start_time, end_time }: WindowQuery): Pick<AuditFilter, 'between'> {
  if (start_time === undefined && end_time === undefined) return {};
  if (start_time === undefined) throw wrongWindow('start_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time === undefined) throw wrongWindow('end_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time < start_time) throw wrongWindow('end_time', 'is before start_time');
  return { between: { from: start_time, to: end_time } };
}

const wrongWindow = (path: string, message: string) =>
  refuse('invalid', 'invalid_window', `The parameter ${path} ${message}.`, { errors: [{ path, message }] });
