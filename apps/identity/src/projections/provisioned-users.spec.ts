import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { People } from './people.ts';
import { ProvisionedUsers } from './provisioned-users.ts';
import { UsersAfter, type UserRow } from './users.ts';

const idOf = (n: number) => String(n).padStart(5, '0');
const rows = Array.from(
  { length: 1200 },
  (_, n) => ({ user_id: idOf(n), groups: n % 400 === 0 ? ['Red'] : [], external_id: null }) as unknown as UserRow,
);
const queries = {
  execute: async (query: unknown) =>
    query instanceof UsersAfter ? rows.filter(({ user_id }) => user_id > (query.args[0] ?? '')).slice(0, query.args[1]) : null,
} as unknown as QueryBus;
const people = { open: async (row: UserRow) => row } as unknown as People;
const users = new ProvisionedUsers(queries, people);

describe('users by their position in the list', () => {
  it.each([
    [0, 3],
    [499, 2],
    [400, 700],
    [1199, 10],
    [2000, 10],
    [5, 0],
  ])('start at %d, and are %d at most', async (from, count) => {
    const { users: found, total } = await users.slice(from, count);
    expect(found.map(({ user_id }) => user_id)).toEqual(rows.slice(from, from + count).map(({ user_id }) => user_id));
    expect(total).toBe(1200);
  });
  it('are each returned once, if they pass the filter', async () => {
    const met: string[] = [];
    for await (const user of users.each(({ user_id }) => user_id > idOf(1150))) met.push(user.user_id);
    expect(met).toEqual(rows.slice(1151).map(({ user_id }) => user_id));
    expect(await users.membersOf('Red')).toEqual([idOf(0), idOf(400), idOf(800)]);
  });
});
