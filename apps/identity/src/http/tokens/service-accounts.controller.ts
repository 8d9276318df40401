import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Person } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import {
  acceptsCsv,
  Audited,
  AuditedRead,
  Caller,
  ChangesFields,
  csvList,
  etagOf,
  FreshId,
  IdParam,
  isForAdministrators,
  MakesUser,
  Needs,
  PageQuery,
  PageTokens,
} from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { creationOf, findGroupName, groups, groupsStream, isSameGroup } from '../../domain/groups.ts';
import { user, userStream } from '../../domain/user.ts';
import { serviceAccountAddress } from '../../domain/service-account.ts';
import { People } from '../../projections/people.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { PersonalTokensOfUser } from '../../projections/personal-tokens.ts';
import { ServiceAccountById, type ServiceAccountRow, ServiceAccounts } from '../../projections/service-accounts.ts';
import { Erasure, ErasureReceipt } from '../../workflows/erasure.ts';
import { CreatedPersonalToken, PersonalAccess, PersonalToken } from '../../workflows/personal-access.ts';
import { Registration } from '../../workflows/registration.ts';
import { UserChanges } from '../../workflows/user-changes.ts';
import { requireSession } from '../../domain/credentials/step-up.ts';
import { IsName } from '../bodies.ts';
import { pageAnswer, pageOf } from '../pages.ts';
import { CreateTokenBody, wishOf } from './token-bodies.ts';
import { TOKEN_COLUMNS } from './token-columns.ts';

const ServiceAccount = z.object({
  id: z.string().describe('User ID of the service account.'),
  name: z.string(),
  group: z
    .string()
    .describe(
      'The group that owns it. From its deletion on, the tokens of the account are not accepted, even if there is a later group of the same name.',
    ),
  groups: z.array(z.string()).readonly(),
  enabled: z.boolean(),
  create_time: z.int().describe('Time in epoch seconds.'),
});
type ServiceAccount = z.infer<typeof ServiceAccount>;

nameSchemas({ ServiceAccount });

class CreateServiceAccountBody {
  @IsName() name!: string;
  /** The group that owns the account, and that it becomes a member of. */
  @IsString() @Length(1, 200) group!: string;
}

@ChangesFields()
class AmendServiceAccountBody {
  @IsOptional() @IsName() name?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

const LAST_NAME = '(service account)';
const ASKED = { list: 'service-accounts' };
const COLUMNS = ['id', 'name', 'group', 'groups', 'enabled', 'create_time'] as const;

@Controller('admin/service-accounts')
@Needs('Admin')
export class ServiceAccountsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly registration: Registration,
    private readonly changes: UserChanges,
    private readonly erasure: Erasure,
    private readonly access: PersonalAccess,
    private readonly factors: SecondFactors,
    private readonly people: People,
    private readonly pages: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_service_accounts', 'user')
  @Summary('List the service accounts, oldest first.')
  @Answers(200, pageAnswer('service_accounts', ServiceAccount))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'service_accounts', columns: COLUMNS, read: (pageQuery) => this.page(pageQuery) });
    return this.page(page);
  }

  private async page({ limit, next_token }: PageQuery) {
    const after = next_token === undefined ? null : this.pages.open<string>(ASKED, next_token);
    const rows = await this.queries.execute(new ServiceAccounts(after, limit + 1));
    const shown = rows.slice(0, limit);
    const found = await Promise.all(shown.map(async (row) => ({ row, person: await this.people.find(row.user_id) })));
    // An account may be deleted while the list is read.
    const service_accounts = found.flatMap(({ row, person }) => (person ? [answerOf(row, person)] : []));
    return { service_accounts, next_token: rows.length > limit ? this.pages.seal(ASKED, shown.at(-1)?.user_id) : null };
  }

  @Post()
  @MakesUser()
  @Audited('register_user', 'user')
  @Summary('Create a service account: a user without a password that cannot sign in. Programs act for it with tokens.')
  @Answers(201, ServiceAccount)
  @Refuses('group_unknown', 400)
  @Refuses('step_up_required', 403)
  @Refuses('token_not_allowed', 403)
  @Refuses('user_not_found', 404)
  @Refuses('user_erased', 409)
  async create(
    @FreshId() accountId: string,
    @Caller() { userId, sessionId, tokenId }: Caller,
    @Body() { name, group: requestedGroup }: CreateServiceAccountBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServiceAccount> {
    const made = await this.streams.load(groups, groupsStream);
    const group = findGroupName(made, requestedGroup);
    if (group === null) throw refuse('invalid', 'group_unknown', `There is no group ${requestedGroup}.`);
    if (group === 'Admin') {
      requireSession(tokenId);
      await this.factors.requireFreshIfNeeded(userId, sessionId);
    }
    await this.registration.register(accountId, {
      email: serviceAccountAddress(accountId),
      firstName: name,
      lastName: LAST_NAME,
      password: null,
      groups: [group],
      mustChangePassword: false,
      origin: 'service_account',
      ownerGroup: group,
      ownerCreation: creationOf(made, group),
    });
    const row = await this.queries.execute(new ServiceAccountById(accountId));
    return this.answer(row ?? { user_id: accountId, owner_group: group }, reply);
  }

  @Patch(':id')
  @Audited('amend_user', 'user', 'id')
  @Summary('Rename, enable or disable a service account. While it is disabled, its tokens are not accepted.')
  @Answers(200, ServiceAccount)
  @Refuses('step_up_required', 403)
  @Refuses('service_account_not_found', 404)
  @Refuses('user_not_found', 404)
  async amend(
    @IdParam('id') accountId: string,
    @Caller() { userId, sessionId }: Caller,
    @Body() { name, enabled }: AmendServiceAccountBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ServiceAccount> {
    const row = await this.rowOf(accountId);
    if (enabled === false && row.owner_group === 'Admin') await this.factors.requireFreshIfNeeded(userId, sessionId);
    await this.changes.amend(accountId, { ...(name != null && { firstName: name }), ...(enabled != null && { enabled }) }, ifMatch);
    return this.answer(row, reply);
  }

  @Delete(':id')
  @HttpCode(200)
  @Audited('erase_user', 'user', 'id')
  @Summary('Delete a service account with its tokens and its data, as a user is erased.')
  @Answers(200, ErasureReceipt)
  @Refuses('step_up_required', 403)
  @Refuses('service_account_not_found', 404)
  @Refuses('on_hold', 409)
  async delete(
    @IdParam('id') accountId: string,
    @Caller() { userId, sessionId }: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ErasureReceipt> {
    await this.rowOf(accountId);
    await this.factors.requireFreshIfNeeded(userId, sessionId);
    return this.erasure.erase(accountId, { ifMatch, forAdmin: true });
  }

  @Get(':id/tokens')
  @AuditedRead('view_tokens', 'user', 'id')
  @Summary('List the tokens of a service account, oldest first, without their secrets.')
  @Answers(200, pageAnswer('tokens', PersonalToken))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('service_account_not_found', 404)
  tokens(
    @IdParam('id') accountId: string,
    @Query() page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'tokens', columns: TOKEN_COLUMNS, read: (pageQuery) => this.tokensPage(accountId, pageQuery) });
    return this.tokensPage(accountId, page);
  }

  private async tokensPage(accountId: string, page: PageQuery) {
    await this.rowOf(accountId);
    const all = await this.queries.execute(new PersonalTokensOfUser(accountId));
    const { items, next_token } = pageOf(this.pages, { list: 'tokens', accountId }, page, all, ({ token_id }) => token_id);
    return { tokens: await Promise.all(items.map((row) => this.access.open(row))), next_token };
  }

  @Post(':id/tokens')
  @Audited('create_token', 'user', 'id')
  @Summary('Create a token of a service account. Only this answer shows it.')
  @Answers(201, CreatedPersonalToken)
  @Refuses('expiry_passed', 400)
  @Refuses('expiry_too_late', 400)
  @Refuses('models_scope_missing', 400)
  @Refuses('step_up_required', 403)
  @Refuses('service_account_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('owner_group_deleted', 409)
  @Refuses('too_many_tokens', 409)
  async createToken(
    @FreshId() tokenId: string,
    @Caller() { userId, sessionId }: Caller,
    @IdParam('id') accountId: string,
    @Body() body: CreateTokenBody,
  ): Promise<CreatedPersonalToken> {
    await this.rowOf(accountId);
    await this.requireOwner(accountId);
    if (body.scopes.some(isForAdministrators)) await this.factors.requireFreshIfNeeded(userId, sessionId);
    return this.access.make(accountId, null, tokenId, userId, wishOf(body));
  }

  @Delete(':id/tokens/:tokenId')
  @HttpCode(204)
  @Audited('revoke_token', 'token', 'tokenId')
  @Summary('Revoke a token of a service account. It is no longer accepted by the time the answer arrives.')
  @Answers(204)
  @Refuses('service_account_not_found', 404)
  @Refuses('token_not_found', 404)
  async revokeToken(@IdParam('id') accountId: string, @IdParam('tokenId') tokenId: string): Promise<void> {
    await this.rowOf(accountId);
    await this.access.revoke(accountId, tokenId);
  }

  private async rowOf(accountId: string): Promise<ServiceAccountRow> {
    const row = await this.queries.execute(new ServiceAccountById(accountId));
    if (!row) throw refuse('missing', 'service_account_not_found', 'There is no such service account.');
    return row;
  }

  /** No token is created for an account without its group, because edges would not accept the token. */
  private async requireOwner(accountId: string): Promise<void> {
    const account = await this.streams.load(user, userStream(accountId));
    if (account.status !== 'registered' || account.ownerGroup === undefined) return;
    if (isSameGroup(await this.streams.load(groups, groupsStream), account.ownerGroup, account.ownerCreation)) return;
    throw refuse(
      'conflict',
      'owner_group_deleted',
      'The group that owned this service account was deleted. Delete the account, and create one for another group.',
    );
  }

  private async answer(row: ServiceAccountRow, reply: FastifyReply): Promise<ServiceAccount> {
    const { person, version } = await this.people.withVersion(row.user_id);
    void reply.header('etag', etagOf(version));
    return answerOf(row, person);
  }
}

const answerOf = (
  { user_id, owner_group }: ServiceAccountRow,
  { first_name, groups: memberships, enabled, create_time }: Person,
): ServiceAccount => {
  return { id: user_id, name: first_name, group: owner_group, groups: memberships, enabled, create_time };
};
