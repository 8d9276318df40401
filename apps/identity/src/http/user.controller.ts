import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Caller, etagOf, IdParam, Needs, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { IsString, Length } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { AllGroups, GroupRow } from '../projections/groups.ts';
import { PeopleIndex, PublicPerson } from '../projections/people-index.ts';
import { People } from '../projections/people.ts';
import { Person } from '../projections/users.ts';
import { pageAnswer, pageOf } from './pages.ts';

class PrefixQuery extends PageQuery {
  @IsString() @Length(1, 100) prefix!: string;
}

@Controller('user')
export class UserController {
  constructor(
    private readonly queries: QueryBus,
    private readonly people: People,
    private readonly index: PeopleIndex,
    private readonly tokens: PageTokens,
  ) {}

  @Get('me')
  @SignedIn()
  @Summary('Get the signed-in user.')
  @Answers(200, Person)
  @Refuses('user_not_found', 404)
  async me(@Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const { person, version } = await this.people.withVersion(caller.userId);
    reply.header('etag', etagOf(version));
    return person;
  }

  @Get('search')
  @Needs('CreatingBotAllowed')
  @Summary('Search users whose e-mail address, first name or last name begins with the prefix, in any case.')
  @Answers(200, pageAnswer('users', PublicPerson))
  @Refuses('invalid_next_token', 400)
  async search(@Query() { prefix, limit, next_token }: PrefixQuery) {
    const asked = { list: 'users', prefix };
    const after = next_token === undefined ? null : this.tokens.open<string>(asked, next_token);
    const found = await this.index.find(prefix, after, limit + 1);
    const users = found.slice(0, limit);
    return { users, next_token: found.length > limit ? this.tokens.seal(asked, users.at(-1)?.user_id) : null };
  }

  @Get('group/search')
  @Needs('CreatingBotAllowed')
  @Summary('Search groups whose name begins with the prefix, in any case.')
  @Answers(200, pageAnswer('groups', GroupRow))
  @Refuses('invalid_next_token', 400)
  async searchGroups(@Query() page: PrefixQuery) {
    const { prefix } = page;
    const found = await this.queries.execute(new AllGroups(prefix));
    const { items, next_token } = pageOf(this.tokens, { list: 'groups', prefix }, page, found, ({ name }) => name);
    return { groups: items, next_token };
  }

  @Get(':userId')
  @SignedIn()
  @Summary('Get the fields of a user that all users may see.')
  @Answers(200, PublicPerson)
  @Refuses('user_not_found', 404)
  async find(@IdParam('userId') userId: string) {
    const { user_id, first_name, last_name } = await this.people.byId(userId);
    return { user_id, first_name, last_name };
  }
}
