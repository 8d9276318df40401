import { Body, Controller, Get, Headers, Patch, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, ChangesFields, etagOf, IdParam, MayBeNull, Needs, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { MailServer } from '../adapters/mail/mail-server.ts';
import { ExecuteUser } from '../commands/aggregates.ts';
import { type Language, LANGUAGES } from '../domain/language.ts';
import { AllGroups, GroupRow } from '../projections/groups.ts';
import { PeopleIndex, PublicPerson } from '../projections/people-index.ts';
import { People } from '../projections/people.ts';
import { OwnPerson } from '../projections/users.ts';
import { pageAnswer, pageOf } from './pages.ts';

class PrefixQuery extends PageQuery {
  @IsString() @Length(1, 100) prefix!: string;
}

@ChangesFields()
class AmendOwnBody {
  /** The language of the web console and of mails; null for the browser's language and the installation's. */
  @MayBeNull() @IsOptional() @IsIn(LANGUAGES) language?: Language | null;
  /** Whether the user gets mails about notifications. */
  @IsOptional() @IsBoolean() notification_mails?: boolean;
}

/** The most names in one request. */
const MOST_NAMES = 100;

class NamesQuery {
  /** IDs of up to 100 users, comma-separated. */
  @IsString() @Matches(new RegExp(`^[\\w-]{1,128}(,[\\w-]{1,128}){0,${MOST_NAMES - 1}}$`)) user_ids!: string;
}

const Names = z.object({ users: z.array(PublicPerson).describe('In the requested order. IDs that do not exist are left out.') });
nameSchemas({ UserNames: Names });

@Controller('user')
export class UserController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly people: People,
    private readonly index: PeopleIndex,
    private readonly tokens: PageTokens,
    private readonly mail: MailServer,
  ) {}

  @Get('me')
  @SignedIn()
  @Summary('Get the signed-in user.')
  @Answers(200, OwnPerson)
  @Refuses('user_not_found', 404)
  async me(@Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply): Promise<OwnPerson> {
    const { person, version } = await this.people.ownWithVersion(caller.userId);
    reply.header('etag', etagOf(version));
    return { ...person, notification_mails: this.mail.isOn ? person.notification_mails : null };
  }

  @Patch('me')
  @SignedIn()
  @Audited('amend_user', 'user')
  @Summary('Choose the language of the web console and of mails, and mails about notifications, for the signed-in user.')
  @Answers(200, OwnPerson)
  @Refuses('mail_disabled', 403)
  @Refuses('user_not_found', 404)
  async amend(
    @Caller() caller: Caller,
    @Body() { language, notification_mails: notificationMails }: AmendOwnBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<OwnPerson> {
    if (notificationMails && !this.mail.isOn)
      throw refuse('forbidden', 'mail_disabled', 'This installation sends no mail. Ask an administrator.');
    const chosen = { ...(language !== undefined && { language }), ...(notificationMails !== undefined && { notificationMails }) };
    await this.commands.execute(new ExecuteUser(caller.userId, { type: 'Amend', ...chosen }, { ifMatch }));
    return this.me(caller, reply);
  }

  @Get('names')
  @SignedIn()
  @Summary('Get the fields of several users that all users may see.')
  @Answers(200, Names)
  async names(@Query() { user_ids }: NamesQuery): Promise<z.infer<typeof Names>> {
    const found = await Promise.all([...new Set(user_ids.split(','))].map((id) => this.people.find(id)));
    return { users: found.filter((person) => person !== null).map(publicFields) };
  }

  @Get('search')
  @Needs('CreatingBotAllowed')
  @Summary('Search users whose e-mail address, first name or last name begins with the prefix, in any case.')
  @Answers(200, pageAnswer('users', PublicPerson))
  @Refuses('invalid_next_token', 400)
  async search(@Query() { prefix, limit, next_token }: PrefixQuery) {
    const listId = { list: 'users', prefix };
    const after = next_token === undefined ? null : this.tokens.open<string>(listId, next_token);
    const found = await this.index.find(prefix, after, limit + 1);
    const users = found.slice(0, limit);
    return { users, next_token: found.length > limit ? this.tokens.seal(listId, users.at(-1)?.user_id) : null };
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
    return publicFields(await this.people.byId(userId));
  }
}

const publicFields = ({ user_id, first_name, last_name }: PublicPerson): PublicPerson => ({ user_id, first_name, last_name });
