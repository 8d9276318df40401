import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { fold, Instant, refuse } from '@parlance/decider';
import { type Append, type Commit, EventStore, execute, VersionConflict } from '@parlance/event-store';
import { requireMatch, type Streams } from '@parlance/service-kit';
import fc from 'fast-check';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { isActiveAdmin, user, type UserCommand, userStream } from '../domain/user.ts';
import { Administration } from './administration.ts';
import { ExecuteAdministrators } from './administrators.ts';
import { ExecuteUser } from './user.ts';

/** Streams in memory, each step of which waits until the scheduler lets it. */
class ScheduledStore {
  readonly commits = new Map<string, Commit[]>();
  constructor(private readonly turn: () => Promise<void>) {}

  async read(stream: string, after = 0): Promise<readonly Commit[]> {
    await this.turn();
    return (this.commits.get(stream) ?? []).slice(after);
  }

  async append({ stream, expected, events, metadata }: Append) {
    await this.turn();
    const its = this.commits.get(stream) ?? [];
    if (its.length !== expected) throw new VersionConflict(stream, expected);
    const recorded = events.map((event, index) => ({ id: `${stream}${expected}.${index}`, schema: 1, event }));
    this.commits.set(stream, [...its, { position: 0, stream, version: expected + 1, events: recorded, metadata }]);
    return { version: expected + 1, written: true, events: recorded };
  }

  events(stream: string) {
    return (this.commits.get(stream) ?? []).flatMap((commit) => commit.events.map(({ event }) => event));
  }
}

const metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

function administrationOver(store: ScheduledStore): Administration {
  const port = store as unknown as EventStore;
  const commands = {
    execute: (command: ExecuteUser | ExecuteAdministrators) =>
      command instanceof ExecuteUser
        ? execute(port, user, {
            stream: userStream(command.userId),
            command: command.command,
            metadata,
            attempts: 50,
            accepts: (version) => requireMatch(command.ifMatch, version),
          })
        : execute(port, administrators, { stream: administratorsStream, command: command.command, metadata, attempts: 50 }),
  };
  const streams = {
    look: async (decider: typeof user, stream: string) => {
      const commits = await store.read(stream);
      const events = commits.flatMap((commit) => commit.events.map(({ event }) => event as never));
      return { state: fold(decider, events), version: commits.length };
    },
  };
  return new Administration(commands as unknown as CommandBus, streams as unknown as Streams);
}

const people = ['ann', 'ben', 'cat'];
const register: UserCommand = {
  type: 'Register',
  email: 's1.e',
  firstName: 's1.f',
  lastName: 's1.l',
  passwordHash: null,
  groups: ['Admin'],
  mustChangePassword: false,
  origin: 'admin',
};

const change = fc.record({
  who: fc.constantFrom(...people),
  what: fc.constantFrom<UserCommand>(
    { type: 'Amend', enabled: false },
    { type: 'Amend', enabled: true },
    { type: 'Amend', firstName: 's1.g' },
    { type: 'JoinGroup', group: 'Admin' },
    { type: 'LeaveGroup', group: 'Admin' },
    { type: 'Erase' },
  ),
});

const lowers = (command: UserCommand) =>
  command.type === 'Erase' || command.type === 'LeaveGroup' || (command.type === 'Amend' && command.enabled === false);

describe('administrators who appoint and dismiss each other at the same time', () => {
  it(
    'always leave one who can administrate, and a seat for none who can not',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.array(change, { minLength: 1, maxLength: 8 }), async (scheduler, changes) => {
          let scheduled = false;
          const store = new ScheduledStore(() => (scheduled ? scheduler.schedule(Promise.resolve()) : Promise.resolve()));
          const administration = administrationOver(store);
          for (const userId of people) await administration.raise(userId, register);
          scheduled = true;
          const active = () => people.filter((userId) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[])));
          const done = Promise.allSettled(
            changes.map(({ who, what }) => (lowers(what) ? administration.lower(who, what) : administration.raise(who, what))),
          );
          const watched = scheduler.waitFor(done);
          await watched;
          const seats = Object.keys(fold(administrators, store.events(administratorsStream) as never[]).seats);
          expect(active()).not.toEqual([]);
          for (const seated of seats) expect(active()).toContain(seated);
        }),
        { numRuns: 300 },
      ),
    60_000,
  );

  it('would leave none by a rule that only looks at the others', async () => {
    // What the two streams are for: each of two looks, sees the other, and goes.
    const store = new ScheduledStore(() => Promise.resolve());
    const administration = administrationOver(store);
    for (const userId of ['ann', 'ben']) await administration.raise(userId, register);
    const active = (userId: string) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[]));
    const goIfAnother = async (me: string, other: string) => {
      const there = active(other);
      await Promise.resolve();
      if (!there) throw refuse('conflict', 'last_admin');
      await execute(store as unknown as EventStore, user, { stream: userStream(me), command: { type: 'Amend', enabled: false }, metadata });
    };
    await Promise.all([goIfAnother('ann', 'ben'), goIfAnother('ben', 'ann')]);
    expect([active('ann'), active('ben')]).toEqual([false, false]);
  });
});
