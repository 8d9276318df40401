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

/** A world in which the process dies at a step of the first of two changes. */
async function cutAt(step: number, first: (its: ReturnType<typeof world>) => Promise<unknown>) {
  let left = Infinity;
  const its = world(async () => {
    if (left-- <= 0) throw cutOff;
  });
  return {
    its,
    outcome: await (async () => {
      left = step;
      const outcome = await outcomeOf(first(its));
      left = Infinity;
      return outcome;
    })(),
  };
}

describe('a sign-up that is cut off anywhere', () => {
  it('can be repeated for the same address, under another id', async () => {
    for (let step = 0; ; step++) {
      const { its, outcome } = await cutAt(step, (first) => first.signUp('first'));
      const repeated = await outcomeOf(its.signUp('second'));
      const isThere = its.registered().includes('first');
      expect([repeated, its.registered()]).toEqual(isThere ? ['email_taken', ['first']] : ['done', ['second']]);
      expect(await its.addresses.holderOf(ann.email)).toBe(isThere ? 'first' : 'second');
      if (outcome === 'done') return;
      expect(step).toBeLessThan(40);
    }
  });
});

describe('sign-ups with one address at once', () => {
  it('make one user, who has it', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
        const its = world(() => scheduler.schedule(Promise.resolve()));
        const ids = Array.from({ length: count }, (_, n) => `user${n}`);
        const outcomes = await scheduler.waitFor(Promise.all(ids.map((id) => outcomeOf(its.signUp(id)))));
        const [only, ...others] = its.registered();
        expect(others).toEqual([]);
        expect(outcomes.filter((outcome) => outcome === 'done')).toEqual(['done']);
        expect(outcomes[ids.indexOf(only as string)]).toBe('done');
        const holder = its.addresses.holderOf(ann.email);
        expect(await scheduler.waitFor(holder)).toBe(only);
      }),
      { numRuns: 300 },
    ));
});

describe('a change of address', () => {
  const [former, wanted] = [ann.email, 'ann@example.com'];

  it('leaves the user with one of the two, wherever it is cut off, and the other to be had again', async () => {
    for (let step = 0; step < 60; step++) {
      let left = Infinity;
      const its = world(async () => {
        if (left-- <= 0) throw cutOff;
      });
      await its.signUp('ann');
      left = step;
      const outcome = await outcomeOf(its.registration.changeEmail('ann', wanted));
      left = Infinity;
      const has = (await its.addresses.holderOf(wanted)) === 'ann' ? wanted : former;
      const other = has === wanted ? former : wanted;
      expect(await its.addresses.holderOf(has)).toBe('ann');
      expect(await its.addresses.holderOf(other)).toBeNull();
      its.later(11 * 60_000);
      expect(await outcomeOf(its.addresses.claim('ben', other))).toBe('done');
      expect(await outcomeOf(its.addresses.claim('ben', has))).toBe('email_taken');
      if (outcome === 'done') return;
    }
    throw new Error('it never came to an end');
  });
  it('is not taken over while it is in progress', async () => {
    const its = world(async () => {});
    await its.signUp('ann');
    await its.addresses.claim('ann', wanted);
    expect(await outcomeOf(its.addresses.claim('ben', wanted))).toBe('email_taken');
  });
  it('of a user who is erased meanwhile gives the new one back', async () => {
    const its = world(async () => {});
    await its.signUp('ann');
    await its.erase('ann');
    expect(await outcomeOf(its.registration.changeEmail('ann', wanted))).toBe('user_not_found');
    expect(await outcomeOf(its.addresses.claim('ben', wanted))).toBe('done');
  });
  it('made several times at once leaves the last, and the others to be had', async () => {
    const its = world(async () => {});
    await its.signUp('ann');
    const all = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
    await Promise.all(all.map((email) => its.registration.changeEmail('ann', email)));
    const holders = await Promise.all([former, ...all].map((email) => its.addresses.holderOf(email)));
    expect(holders.filter((holder) => holder === 'ann')).toHaveLength(1);
    for (const [at, email] of [former, ...all].entries()) {
      expect(await outcomeOf(its.addresses.claim('ben', email))).toBe(holders[at] === 'ann' ? 'email_taken' : 'done');
    }
  });
});
