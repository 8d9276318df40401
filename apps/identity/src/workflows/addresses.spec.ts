import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { cutOff } from '../../test/streams-in-memory.ts';
import { ann, world } from '../../test/world.ts';

const outcomeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error === cutOff ? 'cut off' : error instanceof Refusal ? error.code : String(error)),
  );

/** Makes a change in a process that crashes at a given step, and returns the world after that. */
async function cutAt(step: number, first: (state: ReturnType<typeof world>) => Promise<unknown>) {
  let left = Infinity;
  const state = world(async () => {
    if (left-- <= 0) throw cutOff;
  });
  return {
    state,
    outcome: await (async () => {
      left = step;
      const outcome = await outcomeOf(first(state));
      left = Infinity;
      return outcome;
    })(),
  };
}

describe('a sign-up that a crash interrupts at any step', () => {
  it('can be repeated for the same address, with another ID', async () => {
    for (let step = 0; ; step++) {
      const { state, outcome } = await cutAt(step, (first) => first.signUp('first'));
      const repeated = await outcomeOf(state.signUp('second'));
      const isThere = state.registered().includes('first');
      expect([repeated, state.registered()]).toEqual(isThere ? ['email_taken', ['first']] : ['done', ['second']]);
      expect(await state.addresses.holderOf(ann.email)).toBe(isThere ? 'first' : 'second');
      if (outcome === 'done') return;
      expect(step).toBeLessThan(40);
    }
  });
});

describe('sign-ups with one address at once', () => {
  it('create one user, who has the address', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
        const state = world(() => scheduler.schedule(Promise.resolve()));
        const ids = Array.from({ length: count }, (_, n) => `user${n}`);
        const outcomes = await scheduler.waitFor(Promise.all(ids.map((id) => outcomeOf(state.signUp(id)))));
        const [only, ...others] = state.registered();
        expect(others).toEqual([]);
        expect(outcomes.filter((outcome) => outcome === 'done')).toEqual(['done']);
        expect(outcomes[ids.indexOf(only as string)]).toBe('done');
        const owner = state.addresses.holderOf(ann.email);
        expect(await scheduler.waitFor(owner)).toBe(only);
      }),
      { numRuns: 300 },
    ));
});

describe('a change of address', () => {
  const [former, wanted] = [ann.email, 'ann@example.com'];

  it('leaves the user with one of the two addresses, wherever a crash interrupts it, and the other available', async () => {
    for (let step = 0; step < 60; step++) {
      let left = Infinity;
      const state = world(async () => {
        if (left-- <= 0) throw cutOff;
      });
      await state.signUp('ann');
      left = step;
      const outcome = await outcomeOf(state.registration.changeEmail('ann', wanted));
      left = Infinity;
      const has = (await state.addresses.holderOf(wanted)) === 'ann' ? wanted : former;
      const other = has === wanted ? former : wanted;
      expect(await state.addresses.holderOf(has)).toBe('ann');
      expect(await state.addresses.holderOf(other)).toBeNull();
      state.later(11 * 60_000);
      expect(await outcomeOf(state.addresses.claim('ben', other))).toBe('done');
      expect(await outcomeOf(state.addresses.claim('ben', has))).toBe('email_taken');
      if (outcome === 'done') return;
    }
    throw new Error('the change did not complete within the expected steps');
  });
  it('is not taken over while it is in progress', async () => {
    const state = world(async () => {});
    await state.signUp('ann');
    await state.addresses.claim('ann', wanted);
    expect(await outcomeOf(state.addresses.claim('ben', wanted))).toBe('email_taken');
  });
  it('of a user who is erased meanwhile releases the new address', async () => {
    const state = world(async () => {});
    await state.signUp('ann');
    await state.erase('ann');
    expect(await outcomeOf(state.registration.changeEmail('ann', wanted))).toBe('user_not_found');
    expect(await outcomeOf(state.addresses.claim('ben', wanted))).toBe('done');
  });
  it('made several times at once keeps the last address, and leaves the others available', async () => {
    const state = world(async () => {});
    await state.signUp('ann');
    const all = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
    await Promise.all(all.map((email) => state.registration.changeEmail('ann', email)));
    const owners = await Promise.all([former, ...all].map((email) => state.addresses.holderOf(email)));
    expect(owners.filter((owner) => owner === 'ann')).toHaveLength(1);
    for (const [at, email] of [former, ...all].entries()) {
      expect(await outcomeOf(state.addresses.claim('ben', email))).toBe(owners[at] === 'ann' ? 'email_taken' : 'done');
    }
  });
});
