import { describe, expect, it } from '@jest/globals';
import { Instant } from './instant.ts';
import { isLeased, LONGEST_LEASE_MILLIS } from './lease.ts';

const now = Instant.ofSeconds(1_750_000_000);

describe('a lease', () => {
  it.each([
    ['holds until its end', 1, true],
    ['has ended at its end', 0, false],
    ['can last for the maximum time', LONGEST_LEASE_MILLIS, true],
    ['does not count if it ends later than that', LONGEST_LEASE_MILLIS + 1, false],
  ])('%s', (_, millis, held) => expect(isLeased(Instant.plus(now, millis), now)).toBe(held));

  it('does not exist without a time', () => expect([isLeased(null, now), isLeased(undefined, now)]).toEqual([false, false]));
});
