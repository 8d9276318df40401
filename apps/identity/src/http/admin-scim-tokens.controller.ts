import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, FreshId, IdParam, Needs, PageTokens } from '@parlance/http';
import { Clock } from '@parlance/foundation';
import { IsInt, IsOptional, IsPositive, Length, Max } from 'class-validator';
import { mintScimToken } from '../adapters/scim-secrets.ts';
import { ExecuteScimToken } from '../commands/aggregates.ts';
import { AllScimTokens, type ScimTokenRow } from '../projections/scim-tokens.ts';
import { createdScimTokenAnswer, scimTokensAnswer } from './answers.ts';
import { pageOf, PageQuery } from './pages.ts';

/** The year 9999: beyond it, a time is milliseconds by mistake. */
const latest = 253_402_300_799;

class CreateScimTokenBody {
  @Length(1, 200) description!: string;
  @IsOptional() @IsInt() @IsPositive() @Max(latest) expires_at?: number;
}

@Controller('admin/scim-tokens')
@Needs('Admin')
export class AdminScimTokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Audited('create_scim_token', 'scim_token')
  @Summary('Create a SCIM token. Only this answer shows it.')
  @Answers(201, createdScimTokenAnswer)
  @Refuses('expiry_passed', 400)
  async create(
    @FreshId() tokenId: string,
    @Caller() caller: Caller,
    @Body() { description, expires_at }: CreateScimTokenBody,
  ): Promise<ScimTokenRow & { token?: string }> {
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
    // To a retry that overtook the answer: the token that counts is not known any more.
    return written ? { ...row, token } : row;
  }

  @Get()
  @Summary('List SCIM tokens that are not revoked, oldest first, without secrets.')
  @Answers(200, scimTokensAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Query() page: PageQuery) {
    const all = await this.queries.execute(new AllScimTokens());
    const { items, next_token } = pageOf(this.tokens, { list: 'admin-scim-tokens' }, page, all, ({ token_id }) => token_id);
    return { scim_tokens: items, next_token };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Audited('revoke_scim_token', 'scim_token', 'tokenId')
  @Summary('Revoke a SCIM token. Takes effect before the answer.')
  @Answers(204)
  @Refuses('scim_token_not_found', 404)
  async revoke(@IdParam('tokenId') tokenId: string): Promise<void> {
    await this.commands.execute(new ExecuteScimToken(tokenId, { type: 'Revoke' }));
  }
}
