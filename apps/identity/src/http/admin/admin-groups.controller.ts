import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, FreshId, Needs, PageQuery, PageTokens } from '@parlance/http';
import { ExecuteGroups } from '../../commands/aggregates.ts';
import { AllGroups, GroupRow } from '../../projections/groups.ts';
import { IsGroupName } from '../bodies.ts';
import { pageAnswer, pageOf } from '../pages.ts';

class CreateGroupBody {
  @IsGroupName() name!: string;
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
  @Summary('List all groups, including the built-in ones, sorted by name.')
  @Answers(200, pageAnswer('groups', GroupRow))
  @Refuses('invalid_next_token', 400)
  async list(@Query() page: PageQuery) {
    const all = await this.queries.execute(new AllGroups(''));
    const { items, next_token } = pageOf(this.tokens, { list: 'admin-groups' }, page, all, ({ name }) => name);
    return { groups: items, next_token };
  }

  @Post()
  @Audited('create_group', 'group')
  @Summary('Create a group. Bots can be shared with it.')
  @Answers(201, GroupRow)
  @Refuses('group_exists', 409)
  @Refuses('group_being_deleted', 409)
  async create(@FreshId() creation: string, @Body() body: CreateGroupBody): Promise<GroupRow> {
    const name = body.name.normalize('NFC');
    await this.commands.execute(new ExecuteGroups({ type: 'Create', name, creation }));
    const made = (await this.queries.execute(new AllGroups(name))).find((group) => group.name === name);
    return made ?? { name, built_in: false, create_time: null };
  }

  @Delete(':name')
  @HttpCode(204)
  @Audited('delete_group', 'group', 'name')
  @Summary('Delete a group. Its members leave it.')
  @Answers(204)
  @Refuses('group_not_found', 404)
  @Refuses('group_built_in', 409)
  async delete(@Param('name') name: string): Promise<void> {
    await this.commands.execute(new ExecuteGroups({ type: 'Delete', name }));
  }
}
