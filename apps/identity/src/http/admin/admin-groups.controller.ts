import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { acceptsCsv, Audited, AuditedRead, csv, FreshId, Needs, PageQuery, PageTokens } from '@parlance/http';
import { RevocationFeed } from '@parlance/revocation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExecuteGroups } from '../../commands/aggregates.ts';
import { groupNotFound } from '../../domain/groups.ts';
import { AllGroups, GroupByName, GroupRow } from '../../projections/groups.ts';
import { IsGroupName } from '../bodies.ts';
import { pageAnswer, pageOf } from '../pages.ts';

class CreateGroupBody {
  @IsGroupName() name!: string;
}

const COLUMNS = ['name', 'built_in', 'create_time'] as const;
/** The number of groups in one page of a CSV export. */
const CSV_PAGE = 500;

async function* pagesOf(groups: readonly GroupRow[]): AsyncGenerator<readonly GroupRow[]> {
  for (let from = 0; from < groups.length; from += CSV_PAGE) yield groups.slice(from, from + CSV_PAGE);
}

@Controller('admin/groups')
@Needs('Admin')
export class AdminGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly revocations: RevocationFeed,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @Summary('List all groups, including the built-in ones, sorted by name.')
  @Answers(200, pageAnswer('groups', GroupRow))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  async list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const all = await this.queries.execute(new AllGroups(''));
    if (acceptsCsv(request.headers.accept)) {
      void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="groups.csv"');
      return csv(COLUMNS, pagesOf(all));
    }
    const { items, next_token } = pageOf(this.tokens, { list: 'admin-groups' }, page, all, ({ name }) => name);
    return { groups: items, next_token };
  }

  @Get(':name')
  @AuditedRead('view_group', 'group', 'name')
  @Summary('Get a group.')
  @Answers(200, GroupRow)
  @Refuses('group_not_found', 404)
  async find(@Param('name') name: string): Promise<GroupRow> {
    const group = await this.queries.execute(new GroupByName(name));
    if (!group) throw groupNotFound();
    return group;
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
    const { position } = await this.commands.execute(new ExecuteGroups({ type: 'Delete', name }));
    // Once this request is answered, no personal access token has the rights of the group.
    await this.revocations.seenByAll(position);
  }
}
