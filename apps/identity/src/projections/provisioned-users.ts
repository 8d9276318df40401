import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Person } from '@parlance/contracts';
import { People } from './people.ts';
import { pagesOfUsers, UserById, type UserRow } from './users.ts';

/** A user as provisioning clients see it. */
export type ProvisionedUser = Person & Pick<UserRow, 'update_time' | 'version'> & { readonly externalId: string | null };

/** The number of rows opened together. Other requests run between batches. */
const BATCH_SIZE = 100;

/**
 * Finds users for provisioning clients, by position in the list and by sealed attributes. There is no index for either, so both read all
 * users, which takes a second for 10,000 users.
 */
@Injectable()
export class ProvisionedUsers {
  constructor(
    private readonly queries: QueryBus,
    private readonly people: People,
  ) {}

  /** Null if there is no such user. */
  async find(userId: string): Promise<ProvisionedUser | null> {
    const row = await this.queries.execute(new UserById(userId));
    return row && this.open(row);
  }

  /** Users from a position in the list, counted from 0, and the total. */
  async slice(from: number, count: number): Promise<{ users: readonly ProvisionedUser[]; total: number }> {
    const wanted: UserRow[] = [];
    let total = 0;
    for await (const rows of pagesOfUsers(this.queries)) {
      wanted.push(...rows.slice(Math.max(0, from - total), Math.max(0, from + count - total)));
      total += rows.length;
    }
    return { users: await Promise.all(wanted.map((row) => this.open(row))), total };
  }

  /** The users whose row passes the filter, oldest first. */
  async *each(wanted: (row: UserRow) => boolean = () => true): AsyncGenerator<ProvisionedUser> {
    for await (const rows of pagesOfUsers(this.queries)) {
      const some = rows.filter(wanted);
      for (let from = 0; from < some.length; from += BATCH_SIZE) {
        yield* await Promise.all(some.slice(from, from + BATCH_SIZE).map((row) => this.open(row)));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  /** The IDs of a group's members. No row is opened. */
  async membersOf(group: string): Promise<readonly string[]> {
    const members: string[] = [];
    for await (const rows of pagesOfUsers(this.queries)) for (const row of rows) if (row.groups.includes(group)) members.push(row.user_id);
    return members;
  }

  private async open(row: UserRow): Promise<ProvisionedUser> {
    const { update_time, version, external_id } = row;
    const [person, externalId] = await Promise.all([this.people.open(row), external_id === null ? null : this.people.text(external_id)]);
    return { ...person, externalId, update_time, version };
  }
}
