import { describe, expect, it } from '@jest/globals';
import { Passwords } from './passwords.ts';

describe('passwords', () => {
  const passwords = new Passwords();
  it('match their own hash', async () => expect(await passwords.matches('open sesame', await passwords.hash('open sesame'))).toBe(true));
  it('match no other', async () => expect(await passwords.matches('open barley', await passwords.hash('open sesame'))).toBe(false));
  it('match nobody, not even with the stand-in', async () => {
    expect(await passwords.matches('nobody has this password', null)).toBe(false);
  });
  it('are kept as argon2id', async () => expect(await passwords.hash('x')).toMatch(/^\$argon2id\$/));
});
