import { randomBytes } from 'node:crypto';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { Person } from '@parlance/contracts';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { Audited, AuditedRead, Caller, ChangesFields, etagOf, FreshId, IdParam, MakesUser, Needs } from '@parlance/http';
import { Config } from '@parlance/config';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ChosenGroups } from '../../workflows/chosen-groups.ts';
import { Erasure, ErasureReceipt } from '../../workflows/erasure.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { Registration } from '../../workflows/registration.ts';
import { UserChanges } from '../../workflows/user-changes.ts';
import { groupNotFound } from '../../domain/groups.ts';
import { MOST_GROUPS_OF_USER } from '../../domain/groups-of-user.ts';
import { People } from '../../projections/people.ts';
import { IsAddress, IsName, IsNewPassword } from '../bodies.ts';

class CreateUserBody {
  @IsAddress() email!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_GROUPS_OF_USER) @IsString({ each: true }) groups?: string[];
  @IsOptional() @IsNewPassword() password?: string;
}

@ChangesFields()
class AmendUserBody {
  @IsOptional() @IsName() first_name?: string;
  @IsOptional() @IsName() last_name?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

class JoinQuery {
  /** Allows adding an account with an unverified address to Admin or PublishAllowed. */
  @IsOptional() @IsBoolean() confirm_unverified: boolean = false;
}

const CreatedUser = Person.extend({
  temporary_password: z.string().optional().meta({
    'x-secret': true,
    description: 'Only if the request has no password, and only in this answer. It has to be changed',
  }),
});

nameSchemas({ CreatedUser });
type CreatedUser = z.infer<typeof CreatedUser>;

@Controller('admin/users')
@Needs('Admin')
export class AdminUsersController {
  constructor(
    private readonly registration: Registration,
    private readonly changes: UserChanges,
    private readonly erasure: Erasure,
    private readonly groups: ChosenGroups,
    private readonly people: People,
    private readonly config: Config,
    private readonly factors: SecondFactors,
  ) {}

  @Post()
  @MakesUser()
  @Audited('register_user', 'user')
  @Summary('Create a user. Without a password, the answer shows a temporary one, once.')
  @Answers(201, CreatedUser)
  @Refuses('group_unknown', 400)
  @Refuses('step_up_required', 403)
  @Refuses('email_taken', 409)
  @Refuses('user_erased', 409)
  async create(
    @FreshId() userId: string,
    @Caller() caller: Caller,
    @Body() body: CreateUserBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedUser> {
    const { email, first_name: firstName, last_name: lastName, groups = this.config.autoJoinUserGroups } = body;
    const known = await this.groups.require(groups, caller);
    const temporary = body.password === undefined ? randomBytes(12).toString('base64url') : null;
    const made = await this.registration.register(userId, {
      email,
      firstName,
      lastName,
      password: body.password ?? temporary,
      groups: known,
      mustChangePassword: temporary !== null,
      origin: 'admin',
    });
    const person = await this.answered(userId, reply);
    // For a retry after a lost answer: the valid password is no longer known.
    return temporary !== null && made ? { ...person, temporary_password: temporary } : person;
  }

  @Get(':userId')
  @AuditedRead('view_user', 'user', 'userId')
  @Summary('Get a user with all fields.')
  @Answers(200, Person)
  @Refuses('user_not_found', 404)
  find(@IdParam('userId') userId: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Person> {
    return this.answered(userId, reply);
  }

  @Patch(':userId')
  @Audited('amend_user', 'user', 'userId')
  @Summary('Rename, enable or disable a user. Disabling ends all sessions of the user before the answer is sent.')
  @Answers(200, Person)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('last_admin', 409)
  async amend(
    @Caller() caller: Caller,
    @IdParam('userId') userId: string,
    @Body() { first_name, last_name, enabled }: AmendUserBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Person> {
    if (enabled === false) await this.groups.requireStepUpToDisable(userId, caller);
    await this.changes.amend(
      userId,
      {
        ...(first_name !== undefined && { firstName: first_name }),
        ...(last_name !== undefined && { lastName: last_name }),
        ...(enabled !== undefined && { enabled }),
      },
      ifMatch,
    );
    return this.answered(userId, reply);
  }

  @Put(':userId/groups/:group')
  @Audited('join_group', 'user', 'userId')
  @Summary(
    "Add a user to a group. This takes effect with the user's next token. An account with an unverified address needs confirm_unverified for Admin and PublishAllowed.",
  )
  @Answers(200, Person)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('group_not_found', 404)
  @Refuses('email_unverified', 409)
  @Refuses('too_many_groups', 409)
  async join(
    @IdParam('userId') userId: string,
    @Param('group') called: string,
    @Caller() caller: Caller,
    @Query() { confirm_unverified: confirmed }: JoinQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Person> {
    const [group = null] = await this.groups.find([called]);
    if (group === null) throw groupNotFound();
    await this.groups.requireStepUpFor(group, caller);
    await this.changes.join(userId, group, { confirmed, ifMatch });
    return this.answered(userId, reply);
  }

  @Delete(':userId/groups/:group')
  @HttpCode(204)
  @Audited('leave_group', 'user', 'userId')
  @Summary("Remove a user from a group. This takes effect with the user's next token.")
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('last_admin', 409)
  async leave(
    @IdParam('userId') userId: string,
    @Param('group') called: string,
    @Caller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    const [group = null] = await this.groups.find([called]);
    await this.groups.requireStepUpFor(group ?? called, caller);
    await this.changes.leave(userId, group ?? called, ifMatch);
  }

  @Delete(':userId')
  @HttpCode(200)
  @Audited('erase_user', 'user', 'userId')
  @Summary('Erase a user permanently, by destroying the key of the user. Totals of costs and counts remain.')
  @Answers(200, ErasureReceipt)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('last_admin', 409)
  @Refuses('on_hold', 409)
  async erase(@IdParam('userId') userId: string, @Caller() caller: Caller, @Headers('if-match') ifMatch?: string): Promise<ErasureReceipt> {
    await this.factors.requireFreshIfNeeded(caller.userId, caller.sessionId);
    return this.erasure.erase(userId, { ifMatch, forAdmin: true });
  }

  private async answered(userId: string, reply: FastifyReply): Promise<Person> {
    const { person, version } = await this.people.withVersion(userId);
    reply.header('etag', etagOf(version));
    return person;
  }
}
