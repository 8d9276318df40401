import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, Audited, FreshId, Limit, Needs, PageTokens, Refuses, Summary } from '@parlance/service-kit';
import { IsOptional, IsString } from 'class-validator';
import { ExecuteGroups } from '../commands/groups.ts';
import { AllGroups, type GroupRow } from '../projections/groups.ts';
import { groupAnswer, groupsAnswer } from './answers.ts';
import { IsGroupName } from './bodies.ts';

class CreateGroupBody {
  @IsGroupName() name!: string;
}

class GroupsQuery {
  @Limit() limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}

@Controller('admin/groups')
@Needs('Admin')
export class AdminGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @Summary('All groups by name, the built-in ones among them.')
  @Answers(200, groupsAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Query() { limit, next_token }: GroupsQuery) {
    const asked = { list: 'admin-groups' };
    const after = next_token === undefined ? '' : this.tokens.open<string>(asked, next_token);
    const found = (await this.queries.execute(new AllGroups())).filter(({ name }) => name > after);
    const groups = found.slice(0, limit);
    return { groups, next_token: found.length > limit ? this.tokens.seal(asked, groups.at(-1)?.name) : null };
  }

  @Post()
  @Audited('create_group', 'group')
  @Summary('Makes a group, for sharing bots with some.')
  @Answers(201, groupAnswer)
  @Refuses('group_exists', 409)
  @Refuses('group_being_deleted', 409)
  async create(@FreshId() creation: string, @Body() { name }: CreateGroupBody): Promise<GroupRow> {
    await this.commands.execute(new ExecuteGroups({ type: 'Create', name, creation }));
    const made = (await this.queries.execute(new AllGroups(name))).find((group) => group.name === name);
    return made ?? { name, built_in: false, create_time: null };
  }

  @Delete(':name')
  @HttpCode(204)
  @Audited('delete_group', 'group', 'name')
  @Summary('Deletes a group; everybody leaves it.')
  @Answers(204)
  @Refuses('group_not_found', 404)
  @Refuses('group_built_in', 409)
  async delete(@Param('name') name: string): Promise<void> {
    await this.commands.execute(new ExecuteGroups({ type: 'Delete', name }));
  }
}
