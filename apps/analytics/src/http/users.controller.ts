import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Person, profileFields } from '@parlance/contracts';
import { Clock } from '@parlance/foundation';
import { acceptsCsv, AuditedRead, csv, MOST_CSV_ROWS, Needs, PageQuery, PageTokens } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsIn, IsOptional, Length, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Window } from '../domain/window.ts';
import { NewestOfSpend } from '../projections/spend.ts';
import { KeptLists, type ListCursor } from '../workflows/kept-lists.ts';
import { type UserQuery, USER_SORTS, UserListing } from '../workflows/user-listing.ts';
import { UserItem, UsersAnswer } from './admin-answers.ts';
import { COMPACT_HOUR, windowOfCompactHours } from './windows.ts';

class UsersQuery extends PageQuery {
  @IsOptional() @Matches(COMPACT_HOUR, { message: 'must be an hour, YYYYMMDDHH' }) start?: string;
  @IsOptional() @Matches(COMPACT_HOUR, { message: 'must be an hour, YYYYMMDDHH' }) end?: string;
  /** Also return users without usage. */
  @IsOptional() @IsBoolean() include_all: boolean = false;
  @IsOptional() @IsIn(USER_SORTS) sort: string = 'total_price';
  /** Defaults to `desc`, and to `asc` by e-mail address. */
  @IsOptional() @IsIn(['asc', 'desc']) order?: string;
  @IsOptional() @Length(1, 100) prefix?: string;
  @IsOptional() @Length(1, 200) group?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

type ProfileField = keyof typeof profileFields;
const PROFILE_FIELDS = Object.keys(profileFields) as ProfileField[];

const COLUMNS: readonly (keyof UserItem)[] = [
  'user_id',
  'email',
  ...PROFILE_FIELDS,
  'last_sign_in_time',
  'total_price',
  'input_tokens',
  'output_tokens',
  'conversation_count',
  'groups',
  'enabled',
  'as_corrected',
];

/** The number of users on one CSV page. */
const CSV_PAGE = 500;

/** The users of the installation with their cost. */
@Controller('admin/users')
@Needs('Admin')
export class UsersController {
  constructor(
    private readonly queries: QueryBus,
    private readonly listing: UserListing,
    private readonly lists: KeptLists,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AuditedRead('view_users', 'users')
  @Summary(
    'List users with their usage from one hour (UTC) to another, or in the current month, highest cost first. A next_token is valid for an hour.',
  )
  @Answers(200, UsersAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('invalid_window', 400)
  @Refuses('window_too_large', 400)
  async list(@Query() query: UsersQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { limit, next_token, start, end, ...conditions } = query;
    const window = windowOfCompactHours(start, end, this.clock.now());
    const sort = conditions.sort as UserQuery['sort'];
    const order = (conditions.order ?? (sort === 'email' ? 'asc' : 'desc')) as UserQuery['order'];
    const asked: UserQuery = { ...conditions, window, sort, order };
    if (acceptsCsv(request.headers.accept)) {
      const ids = await this.listing.ids(asked);
      void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="users.csv"');
      return csv(COLUMNS, this.pages(ids.slice(0, MOST_CSV_ROWS), window));
    }
    const signed = { list: 'admin-users', start, end, ...conditions };
    const cursor = next_token === undefined ? null : this.tokens.open<ListCursor & { readonly window: Window }>(signed, next_token);
    const as_of = await this.queries.execute(new NewestOfSpend());
    const ids = cursor === null ? await this.listing.ids(asked) : await this.lists.read(cursor.list);
    const from = cursor?.from ?? 0;
    const to = from + limit;
    // All pages use the current month of the first page.
    const of = cursor?.window ?? window;
    const list = ids.length <= to ? null : (cursor?.list ?? (await this.lists.keep(ids)));
    return {
      as_of,
      users: await this.items(ids.slice(from, to), of),
      next_token: list === null ? null : this.tokens.seal(signed, { list, from: to, window: of }),
    };
  }

  private async *pages(ids: readonly string[], window: Window): AsyncGenerator<UserItem[]> {
    for (let from = 0; from < ids.length; from += CSV_PAGE) yield this.items(ids.slice(from, from + CSV_PAGE), window);
  }

  private async items(ids: readonly string[], window: Window): Promise<UserItem[]> {
    const figures = await this.listing.figures(ids, window);
    const persons = await this.listing.persons(ids);
    return ids.map((user_id) => {
      const person = persons.get(user_id);
      const { nano_dollars, corrections = 0, input_tokens, output_tokens, conversations } = figures.get(user_id)!;
      return {
        user_id,
        email: person?.email ?? null,
        ...profileOf(person),
        last_sign_in_time: person?.last_sign_in_time ?? null,
        total_price: dollars(nano_dollars),
        as_corrected: dollars(nano_dollars + corrections),
        input_tokens,
        output_tokens,
        conversation_count: conversations,
        groups: [...(person?.groups ?? [])],
        enabled: person?.enabled ?? false,
      };
    });
  }
}

/** Null for an erased user. */
const profileOf = (person: Person | undefined) =>
  Object.fromEntries(PROFILE_FIELDS.map((field) => [field, person?.[field] ?? null])) as Pick<UserItem, ProfileField>;
