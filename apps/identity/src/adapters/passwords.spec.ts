import { describe, expect, it } from '@jest/globals';
import { Passwords } from './passwords.ts';

describe('passwords', () => {
  const passwords = new Passwords();
  it('match their own hash', async () => expect(await passwords.matches('open sesame', await passwords.hash('open sesame'))).toBe(true));
  it('match no other', async () => expect(await passwords.matches('open barley', await passwords.hash('open sesame'))).toBe(false));
  it('match nobody, not even with the stand-in', async () => {
    expect(await passwords.matches('nobody has this password', null)).toBe(false);
  });
  it('are checked as long for nobody as for somebody: each check waits for its turn', async () => {
    const one = new Passwords(1);
    const own = await one.hash('x');
    const full = Array.from({ length: 201 }, () => one.hash('x'));
    for (const against of [own, null]) await expect(one.matches('x', against)).rejects.toMatchObject({ code: 'busy' });
    await Promise.all(full);
  });
  it('are kept as argon2id', async () => expect(await passwords.hash('x')).toMatch(/^\$argon2id\$/));
  it('are looked at in turn, and refused when too many wait', async () => {
    const one = new Passwords(1);
    const outcomes = await Promise.allSettled(Array.from({ length: 220 }, () => one.hash('x')));
    expect(outcomes.filter(({ status }) => status === 'rejected').map((outcome) => (outcome as PromiseRejectedResult).reason.code)).toEqual(
      Array.from({ length: 19 }, () => 'busy'),
    );
  });
});
