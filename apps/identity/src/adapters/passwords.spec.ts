import { describe, expect, it } from '@jest/globals';
import { Passwords } from './passwords.ts';

class OneAtATime extends Passwords {
  protected override readonly atOnce = 1;

  constructor(protected override readonly mostWaiting: number) {
    super();
  }
}

describe('passwords', () => {
  const passwords = new Passwords();
  it('match their own hash', async () => expect(await passwords.matches('open sesame', await passwords.hash('open sesame'))).toBe(true));
  it('match no other', async () => expect(await passwords.matches('open barley', await passwords.hash('open sesame'))).toBe(false));
  it('never match without a user, not even the password of the stand-in', async () => {
    expect(await passwords.matches('no user has this password', null)).toBe(false);
  });
  it('are checked as long for unknown users as for known ones: each check waits for its turn', async () => {
    const one = new OneAtATime(2);
    const own = await one.hash('x');
    await one.matches('x', null);
    const full = Array.from({ length: 3 }, () => one.hash('x'));
    const checks = await Promise.allSettled([own, null].map((against) => one.matches('x', against)));
    expect(checks).toMatchObject([{ reason: { code: 'busy' } }, { reason: { code: 'busy' } }]);
    await Promise.all(full);
  });
  it('are hashed with argon2id', async () => expect(await passwords.hash('x')).toMatch(/^\$argon2id\$/));
  it('are checked in turn, and refused when too many wait', async () => {
    const one = new OneAtATime(3);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => one.hash('x')));
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'hashed'))).toEqual([
      ...Array.from({ length: 4 }, () => 'hashed'),
      ...Array.from({ length: 2 }, () => 'busy'),
    ]);
  });
});
