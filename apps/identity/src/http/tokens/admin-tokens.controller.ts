import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { acceptsCsv, Audited, AuditedRead, csvList, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllPersonalTokens } from '../../projections/personal-tokens.ts';
import { PersonalAccess, PersonalToken } from '../../workflows/personal-access.ts';
import { pageAnswer } from '../pages.ts';
import { TOKEN_COLUMNS } from './token-columns.ts';

const ASKED = { list: 'admin-tokens' };

@Controller('admin/tokens')
@Needs('Admin')
export class AdminTokensController {
  constructor(
    private readonly queries: QueryBus,
    private readonly access: PersonalAccess,
    private readonly pages: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_tokens', 'token')
  @Summary('List the personal access tokens of all users and service accounts, oldest first, without their secrets.')
  @Answers(200, pageAnswer('tokens', PersonalToken))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'tokens', columns: TOKEN_COLUMNS, read: (pageQuery) => this.page(pageQuery) });
    return this.page(page);
  }

  private async page({ limit, next_token }: PageQuery) {
    const after = next_token === undefined ? null : this.pages.open<string>(ASKED, next_token);
    const rows = await this.queries.execute(new AllPersonalTokens(after, limit + 1));
    const shown = rows.slice(0, limit);
    const tokens = await Promise.all(shown.map((row) => this.access.open(row)));
    return { tokens, next_token: rows.length > limit ? this.pages.seal(ASKED, shown.at(-1)?.token_id) : null };
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
