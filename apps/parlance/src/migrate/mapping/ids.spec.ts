import { describe, expect, it } from '@jest/globals';
import { botIdOf, derivedFrom, userIdOf } from './ids.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

describe('an ID of the source', () => {
  it('is unchanged if it is a ULID', () => expect(botIdOf('01JH6R5E00EY448H9GBZWJ1JTJ')).toBe('01JH6R5E00EY448H9GBZWJ1JTJ'));
  it('becomes the same ULID each time', () => {
    expect(userIdOf('38782477-2020-4ef0-a67b-55cbc8c6948c')).toMatch(ULID);
    expect(userIdOf('38782477-2020-4ef0-a67b-55cbc8c6948c')).toBe(userIdOf('38782477-2020-4ef0-a67b-55cbc8c6948c'));
    expect(userIdOf('a')).not.toBe(userIdOf('b'));
  });
  it('has its time', () => {
    expect(derivedFrom('a', 1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41');
    expect(derivedFrom('a', 0).slice(0, 10)).toBe('0000000000');
  });
  it('sorts by its time', () => expect(derivedFrom('z', 1_700_000_000_000) < derivedFrom('a', 1_700_000_000_001)).toBe(true));
});
