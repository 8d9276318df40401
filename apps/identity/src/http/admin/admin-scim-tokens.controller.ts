import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { acceptsCsv, Audited, AuditedRead, Caller, csvList, FreshId, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Clock } from '@parlance/foundation';
import { IsInt, IsOptional, IsPositive, Length, Max } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mintScimToken } from '../../adapters/scim-secrets.ts';
import { ExecuteScimToken } from '../../commands/aggregates.ts';
import { AllScimTokens, ScimTokenRow } from '../../projections/scim-tokens.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { pageAnswer, pageOf } from '../pages.ts';

/** The end of the year 9999. A greater value is probably in milliseconds. */
const LATEST_EXPIRY_SECONDS = 253_402_300_799;

class CreateScimTokenBody {
  @Length(1, 200) description!: string;
  @IsOptional() @IsInt() @IsPositive() @Max(LATEST_EXPIRY_SECONDS) expires_at?: number;
}

const CreatedScimToken = ScimTokenRow.extend({
  token: z.string().meta({ 'x-secret': true, description: 'SCIM token. Only in this answer.' }),
});

nameSchemas({ CreatedScimToken });

const COLUMNS = ['token_id', 'description', 'created_by', 'create_time', 'expires_at'] as const;

@Controller('admin/scim-tokens')
@Needs('Admin')
export class AdminScimTokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
    private readonly factors: SecondFactors,
  ) {}

  @Post()
  @Audited('create_scim_token', 'scim_token')
  @Summary('Create a SCIM token for an identity provider. Only this answer shows it.')
  @Answers(201, CreatedScimToken)
  @Refuses('expiry_passed', 400)
  @Refuses('step_up_required', 403)
  async create(
    @FreshId() tokenId: string,
    @Caller() caller: Caller,
    @Body() { description, expires_at }: CreateScimTokenBody,
  ): Promise<Partial<z.infer<typeof CreatedScimToken>>> {
    await this.factors.requireFreshIfNeeded(caller.userId, caller.sessionId);
    const { token, hash } = mintScimToken(tokenId);
    const now = this.clock.now();
    const expiresAt = expires_at === undefined || expires_at === null ? null : Instant.ofSeconds(expires_at);
    const { written } = await this.commands.execute(new ExecuteScimToken(tokenId, { type: 'Make', description, hash, expiresAt, now }));
    const row = (await this.queries.execute(new AllScimTokens())).find(({ token_id }) => token_id === tokenId) ?? {
      token_id: tokenId,
      description,
      created_by: caller.userId,
      create_time: Instant.toSeconds(now),
      expires_at: expires_at ?? null,
    };
    // For a retry after a lost answer: the valid token is no longer known.
    return written ? { ...row, token } : row;
  }

  @Get()
  @AuditedRead('view_scim_tokens', 'scim_token')
  @Summary('List the SCIM tokens that are not revoked, oldest first, without their secrets.')
  @Answers(200, pageAnswer('scim_tokens', ScimTokenRow))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'scim_tokens', columns: COLUMNS, read: (pageQuery) => this.page(pageQuery) });
    return this.page(page);
  }

  private async page(page: PageQuery) {
    const all = await this.queries.execute(new AllScimTokens());
    const { items, next_token } = pageOf(this.tokens, { list: 'admin-scim-tokens' }, page, all, ({ token_id }) => token_id);
    return { scim_tokens: items, next_token };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Audited('revoke_scim_token', 'scim_token', 'tokenId')
  @Summary('Revoke a SCIM token. It is invalid by the time the answer arrives.')
  @Answers(204)
  @Refuses('scim_token_not_found', 404)
  async revoke(@IdParam('tokenId') tokenId: string): Promise<void> {
    await this.commands.execute(new ExecuteScimToken(tokenId, { type: 'Revoke' }));
  }
}
