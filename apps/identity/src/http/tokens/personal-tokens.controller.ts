import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, FreshId, IdParam, isForAdministrators, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { PersonalTokensOfUser } from '../../projections/personal-tokens.ts';
import { CreatedPersonalToken, PersonalAccess, PersonalToken } from '../../workflows/personal-access.ts';
import { pageAnswer, pageOf } from '../pages.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { ChangeTokenBody, changesOf, CreateTokenBody, wishOf } from './token-bodies.ts';

@Controller('user/me/tokens')
@SignedIn()
export class PersonalTokensController {
  constructor(
    private readonly queries: QueryBus,
    private readonly access: PersonalAccess,
    private readonly factors: SecondFactors,
    private readonly pages: PageTokens,
  ) {}

  @Get()
  @Summary("List the caller's personal access tokens, oldest first, without their secrets.")
  @Answers(200, pageAnswer('tokens', PersonalToken))
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() page: PageQuery) {
    const all = await this.queries.execute(new PersonalTokensOfUser(userId));
    const { items, next_token } = pageOf(this.pages, { list: 'tokens', userId }, page, all, ({ token_id }) => token_id);
    return { tokens: await Promise.all(items.map((row) => this.access.open(row))), next_token };
  }

  @Post()
  @Audited('create_token', 'token')
  @Summary(
    'Create a personal access token. It permits what its scopes include and its owner is allowed to do at the time of use. Only this answer shows it.',
  )
  @Answers(201, CreatedPersonalToken)
  @Refuses('expiry_passed', 400)
  @Refuses('expiry_too_late', 400)
  @Refuses('models_scope_missing', 400)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_tokens', 409)
  async create(
    @FreshId() tokenId: string,
    @Caller() { userId, sessionId }: Caller,
    @Body() body: CreateTokenBody,
  ): Promise<CreatedPersonalToken> {
    if (body.scopes.some(isForAdministrators)) await this.factors.requireFreshIfNeeded(userId, sessionId);
    return this.access.make(userId, sessionId, tokenId, userId, wishOf(body));
  }

  @Patch(':tokenId')
  @Audited('change_token', 'token', 'tokenId')
  @Summary('Change the terms for calls of models of a token of the caller. They apply to all calls that begin after the answer.')
  @Answers(200, PersonalToken)
  @Refuses('models_scope_missing', 400)
  @Refuses('token_not_found', 404)
  change(@Caller() { userId }: Caller, @IdParam('tokenId') tokenId: string, @Body() body: ChangeTokenBody): Promise<PersonalToken> {
    return this.access.changeTerms(userId, tokenId, changesOf(body));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Audited('revoke_token', 'token', 'tokenId')
  @Summary('Revoke a personal access token of the caller. It is no longer accepted by the time the answer arrives.')
  @Answers(204)
  @Refuses('token_not_found', 404)
  revoke(@Caller() { userId }: Caller, @IdParam('tokenId') tokenId: string): Promise<void> {
    return this.access.revoke(userId, tokenId);
  }
}
