import { setImmediate } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Person } from '@parlance/contracts';
import { Streams } from '@parlance/foundation';
import { Internal } from '@parlance/http';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { firstAdmin, firstAdminStream } from '../domain/first-admin.ts';
import { People } from '../projections/people.ts';
import { PeopleIndex, type Selection, SORTS } from '../projections/people-index.ts';
import { UsersById } from '../projections/users.ts';

const MOST_USERS = 1_000;
/** Opening this many users takes about 5 ms. */
const OPENED_AT_ONCE = 100;

class SelectionBody implements Selection {
  @IsOptional() @IsString() @Length(1, 100) prefix?: string;
  @IsOptional() @IsString() @Length(1, 200) group?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
  @IsIn(SORTS) sort!: Selection['sort'];
  @IsIn(['asc', 'desc']) order!: Selection['order'];
  /** With `sort: user_id`. */
  @IsOptional() @IsString() @Length(1, 128) after?: string;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_USERS) limit?: number;
}

class UsersBody {
  @IsArray() @ArrayMaxSize(MOST_USERS) @Length(1, 128, { each: true }) user_ids!: string[];
}

/** For services that list users for administrators, and for the guide of a new installation. */
@Controller('internal/users')
@Internal()
export class InternalUsersController {
  constructor(
    private readonly queries: QueryBus,
    private readonly people: People,
    private readonly index: PeopleIndex,
    private readonly streams: Streams,
  ) {}

  /** The Admin that the first start created, even after that user is erased. Null before the first start. */
  @Get('first-admin')
  async firstAdmin(): Promise<{ user_id: string | null }> {
    const { userId } = await this.streams.load(firstAdmin, firstAdminStream);
    return { user_id: userId };
  }

  /**
   * The IDs of all users that match; with `limit`, one page of them, where `after` is the last ID of the previous page. 10,000 IDs take
   * about 300 KB.
   */
  @Post('select')
  @HttpCode(200)
  async select(@Body() selection: SelectionBody): Promise<{ user_ids: readonly string[] }> {
    return { user_ids: await this.index.select(selection) };
  }

  /** These users, without erased ones. */
  @Post('persons')
  @HttpCode(200)
  async persons(@Body() { user_ids }: UsersBody): Promise<{ users: readonly Person[] }> {
    const users: Person[] = [];
    const rows = await this.queries.execute(new UsersById(user_ids));
    for (const row of rows) {
      users.push(await this.people.open(row));
      if (users.length % OPENED_AT_ONCE === 0) await setImmediate();
    }
    return { users };
  }
}
