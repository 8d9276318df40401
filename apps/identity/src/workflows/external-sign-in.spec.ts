import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutOff } from '../../test/streams-in-memory.ts';
import { world } from '../../test/world.ts';

/** What holds in the end, whatever happened in between. */
function expectOneUser(its: ReturnType<typeof world>, userId: string) {
  expect([its.registered(), its.linked()]).toEqual([[userId], [userId]]);
  expect(its.user(userId)).toMatchObject({ status: 'registered', passwordHash: null, linked: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
}

describe('a first sign-in that is cut off anywhere', () => {
  const cutAt = async (step: number, prepare: (its: ReturnType<typeof world>) => Promise<void>) => {
    let left = Infinity;
    const its = world(async () => {
      if (left-- <= 0) throw cutOff;
    });
    await prepare(its);
    left = step;
    const wasCut = await its.signIn().then(
      () => false,
      (error) => error === cutOff,
    );
    left = Infinity;
    return { its, wasCut, userId: await its.signIn() };
  };

  it('is done by the next, and makes no second user', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async () => {});
      wasCut = after.wasCut;
      expectOneUser(after.its, after.userId);
      expect(step).toBeLessThan(40);
    }
  });

  it('never leaves a stranger in who signed up with the address before', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async (its) => {
        await its.signUp('stranger');
        its.living.push('stranger');
      });
      wasCut = after.wasCut;
      expectOneUser(after.its, 'stranger');
      expect(after.its.living).not.toContain('stranger');
      expect(step).toBeLessThan(40);
    }
  });
});

describe('a user who is erased while they sign in for the first time', () => {
  it('is another user the next time, wherever it happened', async () => {
    for (let step = 0, wasErased = true; wasErased; step++) {
      wasErased = false;
      let left = Infinity;
      const its = world(async () => {
        if (left-- !== 0) return;
        wasErased = true;
        await its.erase('erased');
      });
      await its.signUp('erased');
      left = step;
      await its.signIn();
      left = Infinity;
      const userId = await its.signIn();
      expect(its.user(userId)).toMatchObject({ status: 'registered' });
      expect(its.linked()).toEqual([userId]);
      expect(step).toBeLessThan(40);
    }
  });
});

describe('first sign-ins at once, and a sign-up with the address', () => {
  it('make one user, whose password is void', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), async (scheduler, count) => {
        const its = world(() => scheduler.schedule(Promise.resolve()));
        const signUp = its.signUp('stranger').catch(() => {});
        const all = Promise.all([signUp, ...Array.from({ length: count }, () => its.signIn())]);
        const [, ...users] = await scheduler.waitFor(all);
        expect(new Set(users).size).toBe(1);
        expectOneUser(its, users[0] as string);
      }),
      { numRuns: 200 },
    ));
});
