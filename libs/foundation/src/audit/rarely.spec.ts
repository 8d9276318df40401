import { describe, expect, it } from '@jest/globals';
import { Rarely } from './rarely.ts';

describe('the records that callers without a session can cause', () => {
  const tries = (rarely: Rarely, addresses: readonly string[]) => addresses.filter((address) => rarely.allows(address)).length;

  it('are limited for each address', () => expect(tries(new Rarely(2, 10), ['a', 'a', 'a', 'b'])).toBe(3));
  it('are limited for all addresses together', () => expect(tries(new Rarely(2, 3), ['a', 'b', 'c', 'd', 'e'])).toBe(3));
  it('are allowed again a minute later', () => {
    let now = 0;
    const rarely = new Rarely(1, 10, () => now);
    expect(tries(rarely, ['a', 'a'])).toBe(1);
    now = 60_000;
    expect(tries(rarely, ['a'])).toBe(1);
  });
});
