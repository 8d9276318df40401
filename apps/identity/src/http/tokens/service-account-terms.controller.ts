import { Body, Controller, Patch } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Audited, IdParam, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { ServiceAccountById } from '../../projections/service-accounts.ts';
import { PersonalAccess, PersonalToken } from '../../workflows/personal-access.ts';
import { ChangeTokenBody, changesOf } from './token-bodies.ts';

@Controller('admin/service-accounts/:id/tokens')
@Needs('Admin')
export class ServiceAccountTermsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly access: PersonalAccess,
  ) {}

  @Patch(':tokenId')
  @Audited('change_token', 'token', 'tokenId')
  @Summary('Change the terms for calls of models of a token of a service account. They apply to all calls that begin after the answer.')
  @Answers(200, PersonalToken)
  @Refuses('models_scope_missing', 400)
  @Refuses('service_account_not_found', 404)
  @Refuses('token_not_found', 404)
  async change(
    @IdParam('id') accountId: string,
    @IdParam('tokenId') tokenId: string,
    @Body() body: ChangeTokenBody,
  ): Promise<PersonalToken> {
    if (!(await this.queries.execute(new ServiceAccountById(accountId))))
      throw refuse('missing', 'service_account_not_found', 'There is no such service account.');
    return this.access.changeTerms(accountId, tokenId, changesOf(body));
  }
}
