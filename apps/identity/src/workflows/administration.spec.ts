import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal, refuse } from '@parlance/decider';
import { type Append, type Commit, EventStore, execute, type Page, VersionConflict } from '@parlance/event-store';
import { requireMatch } from '@parlance/http';
import type { ExecuteOptions, Streams } from '@parlance/foundation';
import { commandsOn } from '@parlance/foundation/harness';
import fc from 'fast-check';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { isActiveAdmin, user, type UserCommand, userStream } from '../domain/user.ts';
import { Administration } from './administration.ts';

type Turn = () => Promise<void>;

/** Streams in memory. Before each of their steps a participant waits for its turn, and may be cut off there. */
class ScheduledStore {
  readonly commits = new Map<string, Commit[]>();

  as(turn: Turn): EventStore {
    return {
      read: async (stream: string, after?: number) => (await turn(), this.read(stream, after)),
      append: async (append: Append) => (await turn(), this.append(append)),
    } as unknown as EventStore;
  }

  read(stream: string, after = 0): Page {
    return { commits: (this.commits.get(stream) ?? []).slice(after), more: false };
  }

  append({ stream, expected, events, metadata }: Append) {
    const its = this.commits.get(stream) ?? [];
    if (its.length !== expected) throw new VersionConflict(stream, expected);
    const recorded = events.map((event, index) => ({ id: `${stream}${expected}.${index}`, schema: 1, event }));
    this.commits.set(stream, [...its, { position: 0, stream, version: expected + 1, events: recorded, metadata }]);
    return { position: 0, version: expected + 1, written: true, events: recorded, earlier: [] };
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

function administrationOver(store: ScheduledStore, turn: Turn): Administration {
  const port = store.as(turn);
  const streams = {
    look: async (decider: typeof user, stream: string) => {
      const { commits } = await port.read(stream);
      const events = commits.flatMap((commit) => commit.events.map(({ event }) => event as never));
      return { state: fold(decider, events), version: commits.length };
    },
    execute: (decider: typeof user, stream: string, command: UserCommand, { ifMatch }: ExecuteOptions = {}) =>
      execute(port, decider, { stream, command, metadata, attempts: 50, accepts: (version) => requireMatch(ifMatch, version) }),
  } as unknown as Streams;
  return new Administration(commandsOn(streams), streams);
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
  what: fc.constantFrom<UserCommand | 'seat'>(
    'seat',
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

const cutOff = new Error('cut off');
const unlessCutOff = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (error !== cutOff && !(error instanceof Refusal)) throw error;
  });

describe('administrators who appoint and dismiss each other at the same time', () => {
  it('always leave one Admin who can administrate, and no seat for others, wherever a participant is cut off', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ change, steps: fc.option(fc.nat(8), { nil: Infinity }) }), { minLength: 1, maxLength: 8 }),
        async (scheduler, deeds) => {
          const store = new ScheduledStore();
          const undisturbed = administrationOver(store, () => Promise.resolve());
          for (const userId of people) await undisturbed.raise(userId, register);
          const active = () => people.filter((userId) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[])));
          const seated = () => Object.keys(fold(administrators, store.events(administratorsStream) as never[]).seats).sort();
          const done = deeds.map(({ change: { who, what }, steps }) => {
            let left = steps;
            const administration = administrationOver(store, async () => {
              await scheduler.schedule(Promise.resolve());
              if (left-- <= 0) throw cutOff;
            });
            if (what === 'seat') return unlessCutOff(administration.seat(who));
            return unlessCutOff(lowers(what) ? administration.lower(who, what) : administration.raise(who, what));
          });
          await scheduler.waitFor(Promise.all(done));
          expect(active()).not.toEqual([]);
          expect(active()).toEqual(expect.arrayContaining(seated()));
          // As the next start does.
          for (const userId of people) await undisturbed.seat(userId);
          expect(seated()).toEqual(active());
        },
      ),
      { numRuns: 500 },
    ));

  it.each<[string, UserCommand]>([
    ['making them an Admin once more', { type: 'JoinGroup', group: 'Admin' }],
    ['enabling them once more', { type: 'Amend', enabled: true }],
  ])('are helped to a seat that was given up in a change that went no further by %s', async (_, again) => {
    const store = new ScheduledStore();
    const administration = administrationOver(store, () => Promise.resolve());
    for (const userId of ['ann', 'ben']) await administration.raise(userId, register);
    const cut = administrationOver(store, async () => {
      if (store.events(administratorsStream).some((event) => (event as { type: string }).type === 'AdminSeatGivenUp')) throw cutOff;
    });
    await expect(cut.lower('ben', { type: 'Amend', enabled: false })).rejects.toBe(cutOff);
    await expect(administration.lower('ann', { type: 'Erase' })).rejects.toMatchObject({ code: 'last_admin' });
    await administration.raise('ben', again);
    await administration.lower('ann', { type: 'Erase' });
    await expect(administration.lower('ben', { type: 'Erase' })).rejects.toMatchObject({ code: 'last_admin' });
  });

  it('would leave none by a rule that only looks at the others', async () => {
    // What the two streams are for: each of two looks, sees the other, and goes.
    const store = new ScheduledStore();
    const administration = administrationOver(store, () => Promise.resolve());
    for (const userId of ['ann', 'ben']) await administration.raise(userId, register);
    const active = (userId: string) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[]));
    const goIfAnother = async (me: string, other: string) => {
      const there = active(other);
      await Promise.resolve();
      if (!there) throw refuse('conflict', 'last_admin', 'This is the last Admin.');
      await execute(
        store.as(() => Promise.resolve()),
        user,
        { stream: userStream(me), command: { type: 'Amend', enabled: false }, metadata },
      );
    };
    await Promise.all([goIfAnother('ann', 'ben'), goIfAnother('ben', 'ann')]);
    expect([active('ann'), active('ben')]).toEqual([false, false]);
  });
});
