import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { acceptsCsv, Audited, AuditedRead, csvList, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { IsOptional, IsString, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllPersonalTokens, TokensThatCall } from '../../projections/personal-tokens.ts';
import { UsersById } from '../../projections/users.ts';
import { PersonalAccess, PersonalToken } from '../../workflows/personal-access.ts';
import { pageAnswer } from '../pages.ts';
import { TOKEN_COLUMNS } from './token-columns.ts';

const MODEL = '[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}';
const MOST_MODELS = 50;

class TokensQuery extends PageQuery {
  /** IDs of models and routes, separated by commas: only valid tokens that may call at least one of them. */
  @IsOptional() @IsString() @Matches(new RegExp(`^${MODEL}(,${MODEL}){0,${MOST_MODELS - 1}}$`)) models?: string;
}

@Controller('admin/tokens')
@Needs('Admin')
export class AdminTokensController {
  constructor(
    private readonly queries: QueryBus,
    private readonly access: PersonalAccess,
    private readonly pages: PageTokens,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AuditedRead('view_tokens', 'token')
  @Summary(
    'List the personal access tokens of all users and service accounts, oldest first, without their secrets. With `models`, a page may be shorter than its limit although others follow.',
  )
  @Answers(200, pageAnswer('tokens', PersonalToken))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() { models, ...page }: TokensQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'tokens', columns: TOKEN_COLUMNS, read: (its) => this.page(its, models) });
    return this.page(page, models);
  }

  private async page({ limit, next_token }: PageQuery, models?: string) {
    const listing = { list: 'admin-tokens', models };
    const after = next_token === undefined ? null : this.pages.open<string>(listing, next_token);
    const { rows, next } = models === undefined ? await this.all(after, limit) : await this.thatCall(models, after, limit);
    const tokens = await Promise.all(rows.map((row) => this.access.open(row)));
    return { tokens, next_token: next === null ? null : this.pages.seal(listing, next) };
  }

  private async all(after: string | null, limit: number) {
    const rows = await this.queries.execute(new AllPersonalTokens(after, limit + 1));
    const shown = rows.slice(0, limit);
    return { rows: shown, next: rows.length > limit ? shown.at(-1)!.token_id : null };
  }

  /** The tokens of disabled users are valid again when the users are enabled. They are left out until then. */
  private async thatCall(models: string, after: string | null, limit: number) {
    const names = [...new Set(models.split(','))];
    const { rows, next } = await this.queries.execute(new TokensThatCall(names, Instant.toSeconds(this.clock.now()), after, limit));
    const owners = await this.queries.execute(new UsersById([...new Set(rows.map((row) => row.user_id))]));
    const enabled = new Set(owners.flatMap((owner) => (owner.enabled ? [owner.user_id] : [])));
    return { rows: rows.filter((row) => enabled.has(row.user_id)), next };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Audited('revoke_token', 'token', 'tokenId')
  @Summary('Revoke a personal access token of any user. It is no longer accepted by the time the answer arrives.')
  @Answers(204)
  @Refuses('token_not_found', 404)
  revoke(@IdParam('tokenId') tokenId: string): Promise<void> {
    return this.access.revokeOfAny(tokenId);
  }
}
