import { describe, expect, it } from '@jest/globals';
import { fold, Refusal, refuse } from '@parlance/decider';
import { commandsOn } from '@parlance/foundation/harness';
import fc from 'fast-check';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { isActiveAdmin, user, type UserCommand, userStream } from '../domain/user.ts';
import { cutOff, StreamsInMemory, type Turn } from '../../test/streams-in-memory.ts';
import { AdminSeats } from './admin-seats.ts';

function adminSeatsOver(log: StreamsInMemory, turn: Turn): AdminSeats {
  const streams = log.as(turn);
  return new AdminSeats(commandsOn(streams), streams);
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
    { type: 'Hold', holdId: 'h' },
    { type: 'EndHold', holdId: 'h' },
  ),
});

const lowers = (command: UserCommand) =>
  command.type === 'Erase' || command.type === 'LeaveGroup' || (command.type === 'Amend' && command.enabled === false);

const unlessCutOff = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (error !== cutOff && !(error instanceof Refusal)) throw error;
  });

describe('administrators who appoint and dismiss each other at the same time', () => {
  it('always leave one active Admin, and no seat for other users, wherever a crash interrupts one of them', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ change, steps: fc.option(fc.nat(8), { nil: Infinity }) }), { minLength: 1, maxLength: 8 }),
        async (scheduler, actions) => {
          const store = new StreamsInMemory();
          const undisturbed = adminSeatsOver(store, () => Promise.resolve());
          for (const userId of people) await undisturbed.changeThenTakeSeat(userId, register);
          const active = () => people.filter((userId) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[])));
          const seated = () => Object.keys(fold(administrators, store.events(administratorsStream) as never[]).seats).sort();
          const done = actions.map(({ change: { who, what }, steps }) => {
            let left = steps;
            const adminSeats = adminSeatsOver(store, async () => {
              await scheduler.schedule(Promise.resolve());
              if (left-- <= 0) throw cutOff;
            });
            if (what === 'seat') return unlessCutOff(adminSeats.takeMissingSeat(who));
            return unlessCutOff(lowers(what) ? adminSeats.giveUpSeatThenChange(who, what) : adminSeats.changeThenTakeSeat(who, what));
          });
          await scheduler.waitFor(Promise.all(done));
          expect(active()).not.toEqual([]);
          expect(active()).toEqual(expect.arrayContaining(seated()));
          // The next start does this.
          for (const userId of people) await undisturbed.takeMissingSeat(userId);
          expect(seated()).toEqual(active());
        },
      ),
      { numRuns: 500 },
    ));

  it('keep their seat if a hold prevents their erasure meanwhile', async () => {
    const store = new StreamsInMemory();
    const adminSeats = adminSeatsOver(store, () => Promise.resolve());
    for (const userId of ['ann', 'ben']) await adminSeats.changeThenTakeSeat(userId, register);
    const isGivenUp = () => store.events(administratorsStream).some((event) => (event as { type: string }).type === 'AdminSeatGivenUp');
    let isHeld = false;
    const erasing = adminSeatsOver(store, async () => {
      if (isHeld || !isGivenUp()) return;
      isHeld = true;
      await store.as(() => Promise.resolve()).execute(user, userStream('ben'), { type: 'Hold', holdId: 'h' });
    });
    await expect(erasing.giveUpSeatThenChange('ben', { type: 'Erase' })).rejects.toMatchObject({ code: 'on_hold' });
    expect(Object.keys(fold(administrators, store.events(administratorsStream) as never[]).seats).sort()).toEqual(['ann', 'ben']);
  });

  it.each<[string, UserCommand]>([
    ['making them an Admin again', { type: 'JoinGroup', group: 'Admin' }],
    ['enabling them again', { type: 'Amend', enabled: true }],
  ])('get back a seat that an interrupted change gave up, by %s', async (_, again) => {
    const store = new StreamsInMemory();
    const adminSeats = adminSeatsOver(store, () => Promise.resolve());
    for (const userId of ['ann', 'ben']) await adminSeats.changeThenTakeSeat(userId, register);
    const cut = adminSeatsOver(store, async () => {
      if (store.events(administratorsStream).some((event) => (event as { type: string }).type === 'AdminSeatGivenUp')) throw cutOff;
    });
    await expect(cut.giveUpSeatThenChange('ben', { type: 'Amend', enabled: false })).rejects.toBe(cutOff);
    await expect(adminSeats.giveUpSeatThenChange('ann', { type: 'Erase' })).rejects.toMatchObject({ code: 'last_admin' });
    await adminSeats.changeThenTakeSeat('ben', again);
    await adminSeats.giveUpSeatThenChange('ann', { type: 'Erase' });
    await expect(adminSeats.giveUpSeatThenChange('ben', { type: 'Erase' })).rejects.toMatchObject({ code: 'last_admin' });
  });

  it('would all leave under a rule that only checks for another Admin', async () => {
    // This is why there are two streams: otherwise each of two Admins sees the other, and leaves.
    const store = new StreamsInMemory();
    const adminSeats = adminSeatsOver(store, () => Promise.resolve());
    for (const userId of ['ann', 'ben']) await adminSeats.changeThenTakeSeat(userId, register);
    const active = (userId: string) => isActiveAdmin(fold(user, store.events(userStream(userId)) as never[]));
    const goIfAnother = async (me: string, other: string) => {
      const isOtherActive = active(other);
      await Promise.resolve();
      if (!isOtherActive) throw refuse('conflict', 'last_admin', 'This is the last Admin.');
      await store.as(() => Promise.resolve()).execute(user, userStream(me), { type: 'Amend', enabled: false });
    };
    await Promise.all([goIfAnother('ann', 'ben'), goIfAnother('ben', 'ann')]);
    expect([active('ann'), active('ben')]).toEqual([false, false]);
  });
});
