import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Cursor } from '@parlance/read-models';
import { Answers, Limit, Needs, PageTokens } from '@parlance/service-kit';
import { IsOptional, IsString } from 'class-validator';
import { AuditEntries } from '../projections/audit-log.ts';
import { auditLogAnswer } from './answers.ts';

class AuditLogQuery {
  @Limit() limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}

@Controller('admin/audit-logs')
export class AuditLogController {
  constructor(
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @Needs('Admin')
  @Answers(200, auditLogAnswer)
  async list(@Query() { limit, next_token }: AuditLogQuery) {
    const asked = { list: 'audit-logs' };
    const after = next_token === undefined ? undefined : (this.tokens.open(asked, next_token) as Cursor);
    const { as_of, rows, next } = await this.queries.execute(new AuditEntries(limit, after));
    return { as_of, audit_logs: rows.map(({ hash: _, ...entry }) => entry), next_token: next && this.tokens.seal(asked, next) };
  }
}
