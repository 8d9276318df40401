import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import { UserById, type UserRow } from './users.ts';

/** A user as they see themselves, and as administrators see them. */
export type Person = Pick<
  UserRow,
  'user_id' | 'email' | 'email_verified' | 'first_name' | 'last_name' | 'groups' | 'enabled' | 'create_time' | 'last_sign_in_time'
>;

/** Users with their personal content opened, for those who may read it. */
@Injectable()
export class People {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Throws the refusal `user_not_found`. */
  async byId(userId: string): Promise<Person> {
    return this.open(await this.rowOf(userId));
  }

  /** The same, and the version that its ETag tells. */
  async withVersion(userId: string): Promise<{ person: Person; version: number }> {
    const row = await this.rowOf(userId);
    return { person: await this.open(row), version: row.version };
  }

  async open(row: UserRow): Promise<Person> {
    const { user_id, email_verified, groups, enabled, create_time, last_sign_in_time } = row;
    const [email, first_name, last_name] = await Promise.all([row.email, row.first_name, row.last_name].map((text) => this.text(text)));
    return {
      user_id,
      email: email ?? '',
      email_verified,
      first_name: first_name ?? '',
      last_name: last_name ?? '',
      groups,
      enabled,
      create_time,
      last_sign_in_time,
    };
  }

  async text(sealed: string): Promise<string> {
    return (await this.vault.open(sealed as Sealed)) ?? '';
  }

  /** Throws the refusal `user_not_found`. */
  async rowOf(userId: string): Promise<UserRow> {
    const row = await this.queries.execute(new UserById(userId));
    if (!row) throw refuse('missing', 'user_not_found', 'There is no such user.');
    return row;
  }
}
