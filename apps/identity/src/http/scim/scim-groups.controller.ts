import { Controller, Delete, Get, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { fullName } from '@parlance/contracts';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, BodyLimit, FreshId } from '@parlance/http';
import { Config } from '@parlance/config';
import type { FastifyReply } from 'fastify';
import { ExecuteGroups } from '../../commands/aggregates.ts';
import { groupNotFound } from '../../domain/groups.ts';
import { Provisioning } from '../../workflows/provisioning.ts';
import { AllGroups, GroupByName, type GroupRow } from '../../projections/groups.ts';
import { ProvisionedUsers } from '../../projections/provisioned-users.ts';
import { groupAnswer, groupBody, listAnswer, patchBody } from './answers.ts';
import { requiredValue, type Filter, filterOf, matcherOf, mentions } from './requests/filter.ts';
import { groupResource, type Member, wantedGroup } from './resources/group-resource.ts';
import { isShown, listOf, ListQuery, pageOf, shown, ShownQuery } from './requests/list-query.ts';
import { memberChanges, requireName } from './requests/member-changes.ts';
import { invalidFilter, readOnly } from './scim-errors.ts';
import { Scim, ScimAnswers, ScimBody, ScimDeletes, ScimTakes } from './scim-route.ts';

/** Enough for ten thousand members. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

@Controller('scim/v2/Groups')
@Scim()
export class ScimGroupsController {
  private readonly base: string;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly users: ProvisionedUsers,
    private readonly provisioning: Provisioning,
    config: Config,
  ) {
    this.base = `${config.publicBaseUrl}/scim/v2`;
  }

  @Post()
  @BodyLimit(BODY_LIMIT_BYTES)
  @Audited('create_group', 'group')
  @Summary('Create a group. Its name is its ID.')
  @ScimTakes(groupBody)
  @ScimAnswers(201, groupAnswer)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('group_exists', 409)
  async create(
    @FreshId() creation: string,
    @ScimBody() body: unknown,
    @Query() query: ShownQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { name, members } = wantedGroup(body);
    await this.provisioning.requireUsers(members);
    await this.provisioning.requireManaged(members);
    await this.commands.execute(new ExecuteGroups({ type: 'Create', name, creation }));
    await this.provisioning.changeMembers(name, members, []);
    reply.header('location', `${this.base}/Groups/${encodeURIComponent(name)}`);
    return this.answered(name, query);
  }

  @Get()
  @Summary('List all groups, or those that match the filter, sorted by name. Excluding members makes the request faster.')
  @ScimAnswers(200, listAnswer(groupAnswer))
  async list(@Query() query: ListQuery): Promise<object> {
    const { from, size } = pageOf(query);
    const found = query.filter ? await this.matching(filterOf(query.filter)) : await this.queries.execute(new AllGroups(''));
    const groups = found.slice(from, from + size);
    return listOf(await this.resourcesOf(groups, query), found.length, from);
  }

  @Get(':name')
  @Summary('Get a group.')
  @ScimAnswers(200, groupAnswer)
  @Refuses('group_not_found', 404)
  find(@Param('name') name: string, @Query() query: ShownQuery): Promise<object> {
    return this.answered(name, query);
  }

  @Put(':name')
  @BodyLimit(BODY_LIMIT_BYTES)
  @Audited('change_group_members', 'group', 'name')
  @Summary('Replace the members of a group. The name cannot be changed.')
  @ScimTakes(groupBody)
  @ScimAnswers(200, groupAnswer)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('group_not_found', 404)
  @Refuses('last_admin', 409)
  async replace(@Param('name') called: string, @ScimBody() body: unknown, @Query() query: ShownQuery): Promise<object> {
    const { name } = await this.found(called);
    const wanted = wantedGroup(body);
    requireName(name, { op: 'replace', value: wanted.name });
    await this.leaveOnly(name, new Set(wanted.members));
    return this.answered(name, query);
  }

  @Patch(':name')
  @BodyLimit(BODY_LIMIT_BYTES)
  @Audited('change_group_members', 'group', 'name')
  @Summary('Add, remove or replace members of a group. Answers with the group if `attributes` is given.')
  @ScimTakes(patchBody)
  @ScimAnswers(200, groupAnswer)
  @Answers(204)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('group_not_found', 404)
  @Refuses('last_admin', 409)
  async patch(
    @Param('name') called: string,
    @ScimBody() body: unknown,
    @Query() query: ShownQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const { name } = await this.found(called);
    const { keepsOthers, joins, leaves } = memberChanges(name, body);
    if (keepsOthers) await this.provisioning.changeMembers(name, [...joins], [...leaves]);
    else await this.leaveOnly(name, joins);
    if (query.attributes) return this.answered(name, query);
    reply.code(204);
    return undefined;
  }

  @Delete(':name')
  @Audited('delete_group', 'group', 'name')
  @Summary('Delete a group. Its members leave it.')
  @ScimDeletes()
  @Refuses('group_not_found', 404)
  async delete(@Param('name') called: string): Promise<void> {
    const { name, built_in } = await this.found(called);
    if (built_in) throw readOnly(`The group ${name} is built in. It cannot be deleted.`);
    await this.commands.execute(new ExecuteGroups({ type: 'Delete', name }));
  }

  private async leaveOnly(group: string, members: ReadonlySet<string>): Promise<void> {
    const present = await this.users.membersOf(group);
    const others = present.filter((userId) => !members.has(userId));
    const were = new Set(present);
    await this.provisioning.changeMembers(
      group,
      [...members].filter((userId) => !were.has(userId)),
      others,
    );
  }

  private async matching(filter: Filter): Promise<readonly GroupRow[]> {
    const groups = await this.queries.execute(new AllGroups(''));
    const member = requiredValue(filter, 'members.value')?.toUpperCase() ?? null;
    if (member === null && mentions(filter, 'members')) throw invalidFilter('Members can only be filtered by value eq "…".');
    const groupsOfMember = member === null ? null : ((await this.users.find(member))?.groups ?? []);
    const matches = matcherOf(filter);
    return groups.filter((group) => {
      const members = groupsOfMember?.includes(group.name) ? [{ userId: member ?? '' }] : [];
      return matches(groupResource(group, members, this.base));
    });
  }

  private async resourcesOf(groups: readonly GroupRow[], query: ShownQuery): Promise<readonly object[]> {
    if (!isShown('members', query)) return groups.map((group) => shown(groupResource(group, null, this.base), query));
    const members = new Map(groups.map(({ name }) => [name, [] as Member[]]));
    for await (const user of this.users.each((row) => row.groups.some((name) => members.has(name)))) {
      for (const name of user.groups) members.get(name)?.push({ userId: user.user_id, display: fullName(user) });
    }
    return groups.map((group) => shown(groupResource(group, members.get(group.name) ?? [], this.base), query));
  }

  private async found(called: string): Promise<GroupRow> {
    const group = await this.queries.execute(new GroupByName(called));
    if (!group) throw groupNotFound();
    return group;
  }

  private async answered(name: string, query: ShownQuery): Promise<object> {
    const [resource] = await this.resourcesOf([await this.found(name)], query);
    return resource as object;
  }
}
