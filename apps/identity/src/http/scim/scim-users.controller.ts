import { Controller, Delete, Get, Headers, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { Audited, etagOf, FreshId, isUlid, requireMatch } from '@parlance/http';
import { Config } from '@parlance/config';
import { Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { Erasure } from '../../workflows/erasure.ts';
import { Provisioning } from '../../workflows/provisioning.ts';
import { Addresses } from '../../workflows/addresses.ts';
import { Registration } from '../../workflows/registration.ts';
import { type ProvisionedUser, ProvisionedUsers } from '../../projections/provisioned-users.ts';
import { listAnswer, patchBody, userAnswer, userBody } from './answers.ts';
import { requiredValue, filterOf, matcherOf } from './requests/filter.ts';
import { listOf, ListQuery, pageOf, shown, ShownQuery } from './requests/list-query.ts';
import { Scim, ScimAnswers, ScimBody, ScimDeletes, ScimTakes } from './scim-route.ts';
import { patchedUser } from './requests/user-patch.ts';
import { provisionsFor, userResource, wantedUser } from './resources/user-resource.ts';
import { userNotFound } from '../../domain/user-not-found.ts';

@Controller('scim/v2/Users')
@Scim()
export class ScimUsersController {
  private readonly base: string;

  constructor(
    private readonly users: ProvisionedUsers,
    private readonly provisioning: Provisioning,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly erasure: Erasure,
    private readonly config: Config,
  ) {
    this.base = `${config.publicBaseUrl}/scim/v2`;
  }

  @Post()
  @Audited('register_user', 'user')
  @Summary('Create a user, who signs in through an identity provider, or with the password if one is sent.')
  @ScimTakes(userBody)
  @ScimAnswers(201, userAnswer)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  async create(
    @FreshId() userId: string,
    @ScimBody() body: unknown,
    @Query() query: ShownQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const wanted = wantedUser(body);
    const { email, nickname, password } = wanted;
    this.provisioning.requireOwnDomain(email);
    await this.registration.register(userId, {
      email,
      ...(wanted.name ?? { firstName: nickname, lastName: '' }),
      password,
      groups: this.config.autoJoinUserGroups,
      // The provider knows the password, so the user must change it.
      mustChangePassword: password !== null,
      origin: 'scim',
      enabled: wanted.active ?? true,
    });
    // The registration has already set name and password.
    const made = await this.found(userId);
    await this.provisioning.change(userId, provisionsFor(made, { ...wanted, name: null, password: null }));
    reply.header('location', `${this.base}/Users/${userId}`);
    return this.answered(userId, query, reply);
  }

  @Get()
  @Summary('List all users, or those that match the filter, oldest first.')
  @ScimAnswers(200, listAnswer(userAnswer))
  async list(@Query() query: ListQuery): Promise<object> {
    const { from, size } = pageOf(query);
    const { users, total } = query.filter ? await this.matching(query.filter, from, size) : await this.users.slice(from, size);
    return listOf(
      users.map((user) => shown(userResource(user, this.base), query)),
      total,
      from,
    );
  }

  @Get(':userId')
  @Summary('Get a user.')
  @ScimAnswers(200, userAnswer)
  @Refuses('user_not_found', 404)
  find(@Param('userId') userId: string, @Query() query: ShownQuery, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    return this.answered(userId, query, reply);
  }

  @Put(':userId')
  @Audited('amend_user', 'user', 'userId')
  @Summary('Replace a user. A name or state that is not sent stays. An externalId that is not sent is removed.')
  @ScimTakes(userBody)
  @ScimAnswers(200, userAnswer)
  @Refuses('user_not_found', 404)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  @Refuses('last_admin', 409)
  async replace(
    @Param('userId') userId: string,
    @ScimBody() body: unknown,
    @Query() query: ShownQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<object> {
    const user = await this.found(userId, ifMatch);
    await this.provisioning.change(userId, provisionsFor(user, wantedUser(body, user.email)), ifMatch);
    return this.answered(userId, query, reply);
  }

  @Patch(':userId')
  @Audited('amend_user', 'user', 'userId')
  @Summary('Change a user with PATCH operations. If the user becomes inactive, all sessions end before the answer is sent.')
  @ScimTakes(patchBody)
  @ScimAnswers(200, userAnswer)
  @Refuses('user_not_found', 404)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('email_taken', 409)
  @Refuses('last_admin', 409)
  async patch(
    @Param('userId') userId: string,
    @ScimBody() body: unknown,
    @Query() query: ShownQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<object> {
    const user = await this.found(userId, ifMatch);
    const wanted = wantedUser(patchedUser(userResource(user, this.base), body), user.email);
    await this.provisioning.change(userId, provisionsFor(user, wanted), ifMatch);
    return this.answered(userId, query, reply);
  }

  @Delete(':userId')
  @Audited('erase_user', 'user', 'userId')
  @Summary('Erase a user permanently, as DELETE /admin/users does.')
  @ScimDeletes()
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('user_not_found', 404)
  @Refuses('last_admin', 409)
  @Refuses('on_hold', 409)
  async erase(@Param('userId') userId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.found(userId);
    await this.provisioning.requireManaged([userId]);
    await this.erasure.erase(userId, { ifMatch, forAdmin: false });
  }

  /** A filter by address or ID is one look-up. Any other filter is applied to all users. */
  private async matching(text: string, from: number, size: number): Promise<{ users: readonly ProvisionedUser[]; total: number }> {
    const filter = filterOf(text);
    const matches = matcherOf(filter);
    const address = requiredValue(filter, 'username') ?? requiredValue(filter, 'emails.value');
    const userId = address === null ? requiredValue(filter, 'id')?.toUpperCase() : await this.addresses.holderOf(address);
    const users: ProvisionedUser[] = [];
    let total = 0;
    for await (const user of userId === undefined ? this.users.each() : await this.one(userId)) {
      if (!matches(userResource(user, this.base))) continue;
      if (total >= from && users.length < size) users.push(user);
      total++;
    }
    return { users, total };
  }

  private async one(userId: string | null): Promise<readonly ProvisionedUser[]> {
    const user = userId === null ? null : await this.users.find(userId);
    return user === null ? [] : [user];
  }

  private async found(userId: string, ifMatch?: string): Promise<ProvisionedUser> {
    const user = isUlid(userId) ? await this.users.find(userId) : null;
    if (user === null) throw userNotFound();
    requireMatch(ifMatch, user.version);
    return user;
  }

  private async answered(userId: string, query: ShownQuery, reply: FastifyReply): Promise<object> {
    const user = await this.found(userId);
    reply.header('etag', etagOf(user.version));
    return shown(userResource(user, this.base), query);
  }
}
