import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Internal, ULID_PATTERN } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, Matches, ValidateNested } from 'class-validator';
import { type ImportedUser, UserImports } from '../workflows/user-imports.ts';
import { IsAddress, IsGroupName, IsName } from './bodies.ts';
import { MOST_GROUPS_OF_USER } from '../domain/groups-of-user.ts';

const MOST_USERS = 100;

class UserBody {
  @Matches(new RegExp(ULID_PATTERN)) user_id!: string;
  @IsAddress() email!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
  @IsArray() @ArrayMaxSize(MOST_GROUPS_OF_USER) groups!: string[];
  @IsBoolean() enabled!: boolean;
}

class ImportBody {
  @IsArray() @ArrayMaxSize(MOST_USERS) @ValidateNested({ each: true }) @Type(() => UserBody) users!: UserBody[];
}

class GroupBody {
  @IsGroupName() name!: string;
}

class GroupsBody {
  @IsArray() @ArrayMaxSize(MOST_GROUPS_OF_USER) @ValidateNested({ each: true }) @Type(() => GroupBody) groups!: GroupBody[];
}

/** For `parlance migrate`. */
@Controller('internal/imports')
@Internal()
export class InternalImportsController {
  constructor(private readonly imports: UserImports) {}

  /** Creates the groups that are missing. */
  @Post('groups')
  @HttpCode(204)
  async groups(@Body() { groups }: GroupsBody): Promise<void> {
    for (const { name } of groups) await this.imports.requireGroup(name);
  }

  /** The results are in the order of the users. */
  @Post('users')
  @HttpCode(200)
  async users(@Body() { users }: ImportBody): Promise<{ results: readonly ImportedUser[] }> {
    const results: ImportedUser[] = [];
    for (const { user_id: userId, first_name: firstName, last_name: lastName, email, groups, enabled } of users)
      results.push(await this.imports.take({ userId, email, firstName, lastName, groups, enabled }));
    return { results };
  }
}
