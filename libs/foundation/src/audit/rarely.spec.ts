import { describe, expect, it } from '@jest/globals';
import { Rarely } from './rarely.ts';

describe('what callers who are not signed in can cause to be stored', () => {
  const tries = (rarely: Rarely, addresses: readonly string[]) => addresses.filter((address) => rarely.allows(address)).length;

  it('is bounded for each address', () => expect(tries(new Rarely(2, 10), ['a', 'a', 'a', 'b'])).toBe(3));
  it('is bounded for all addresses together', () => expect(tries(new Rarely(2, 3), ['a', 'b', 'c', 'd', 'e'])).toBe(3));
  it('is possible again a minute later', () => {
    let now = 0;
    const rarely = new Rarely(1, 10, () => now);
    expect(tries(rarely, ['a', 'a'])).toBe(1);
    now = 60_000;
    expect(tries(rarely, ['a'])).toBe(1);
  });
});
