import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { EventStore } from '@parlance/event-store';
import type { Projector } from '@parlance/read-models';
import type { Streams } from '@parlance/foundation';
import type { AdminSeats } from '../workflows/admin-seats.ts';
import type { UserRow, UsersAfter } from '../projections/users.ts';
import { SeatAdminsOnStart } from './seat-admins-on-start.ts';

type Row = Pick<UserRow, 'user_id' | 'groups' | 'enabled'>;

/** The users to whom a start gives a seat. `reached`: settles when the read models have caught up, or rejects if they cannot. */
async function seatedBy(rows: readonly Row[], seats: readonly string[], reached: () => Promise<void> = async () => {}) {
  const seated: string[] = [];
  let isCaughtUp = false;
  const queries = {
    execute: async ({ args: [userId, limit] }: InstanceType<typeof UsersAfter>) =>
      isCaughtUp ? rows.filter(({ user_id }) => userId === null || user_id > userId).slice(0, limit) : [],
  } as unknown as QueryBus;
  const store = { head: async () => 7 } as unknown as EventStore;
  const projector = { includes: async (position: number) => ((isCaughtUp = position === 7), reached()) } as unknown as Projector;
  const streams = { load: async () => ({ seats: Object.fromEntries(seats.map((userId) => [userId, 1])) }) } as unknown as Streams;
  const adminSeats = { takeMissingSeat: async (userId: string) => void seated.push(userId) } as unknown as AdminSeats;
  await new SeatAdminsOnStart(queries, store, projector, streams, adminSeats).onApplicationBootstrap();
  return seated;
}

const admin = (user_id: string): Row => ({ user_id, groups: ['Admin'], enabled: true });
const others: Row[] = Array.from({ length: 1_000 }, (_, n) => ({ user_id: `b${n + 1_000}`, groups: ['red'], enabled: true }));

describe('a start', () => {
  it('gives a seat to each Admin without one, on any page', async () =>
    expect(await seatedBy([admin('ann'), ...others, admin('ben'), admin('cat')], ['ann'])).toEqual(['ben', 'cat']));
  it('ignores users who are not Admins, or are disabled', async () =>
    expect(await seatedBy([{ ...admin('ann'), enabled: false }, ...others], [])).toEqual([]));
  it('is not prevented by a stopped read model', async () =>
    expect(await seatedBy([admin('ann')], [], () => Promise.reject(new Error('stopped')))).toEqual(['ann']));
});
