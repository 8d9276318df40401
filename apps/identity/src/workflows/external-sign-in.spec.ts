import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutOff } from '../../test/streams-in-memory.ts';
import { world } from '../../test/world.ts';

/** Expects that exactly this user is registered and linked, whatever happened before. */
function expectOneUser(state: ReturnType<typeof world>, userId: string) {
  expect([state.registered(), state.linked()]).toEqual([[userId], [userId]]);
  expect(state.user(userId)).toMatchObject({ status: 'registered', passwordHash: null, linked: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
}

describe('a first sign-in that a crash interrupts at any step', () => {
  const cutAt = async (step: number, prepare: (state: ReturnType<typeof world>) => Promise<void>) => {
    let left = Infinity;
    const state = world(async () => {
      if (left-- <= 0) throw cutOff;
    });
    await prepare(state);
    left = step;
    const wasCut = await state.signIn().then(
      () => false,
      (error) => error === cutOff,
    );
    left = Infinity;
    return { state, wasCut, userId: await state.signIn() };
  };

  it('is completed by the next sign-in, and creates no second user', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async () => {});
      wasCut = after.wasCut;
      expectOneUser(after.state, after.userId);
      expect(step).toBeLessThan(40);
    }
  });

  it('never lets in a stranger who signed up with the address before', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async (state) => {
        await state.signUp('stranger');
        state.living.push('stranger');
      });
      wasCut = after.wasCut;
      expectOneUser(after.state, 'stranger');
      expect(after.state.living).not.toContain('stranger');
      expect(step).toBeLessThan(40);
    }
  });
});

describe('a user who is erased while they sign in for the first time', () => {
  it('is another user at the next sign-in, at whichever step the erasure happened', async () => {
    for (let step = 0, wasErased = true; wasErased; step++) {
      wasErased = false;
      let left = Infinity;
      const state = world(async () => {
        if (left-- !== 0) return;
        wasErased = true;
        await state.erase('erased');
      });
      await state.signUp('erased');
      left = step;
      await state.signIn();
      left = Infinity;
      const userId = await state.signIn();
      expect(state.user(userId)).toMatchObject({ status: 'registered' });
      expect(state.linked()).toEqual([userId]);
      expect(step).toBeLessThan(40);
    }
  });
});

describe('first sign-ins at once, and a sign-up with the address', () => {
  it('create one user, whose password is void', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), async (scheduler, count) => {
        const state = world(() => scheduler.schedule(Promise.resolve()));
        const signUp = state.signUp('stranger').catch(() => {});
        const all = Promise.all([signUp, ...Array.from({ length: count }, () => state.signIn())]);
        const [, ...users] = await scheduler.waitFor(all);
        expect(new Set(users).size).toBe(1);
        expectOneUser(state, users[0] as string);
      }),
      { numRuns: 200 },
    ));
});
