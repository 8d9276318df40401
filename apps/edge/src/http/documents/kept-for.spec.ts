import { describe, expect, it } from '@jest/globals';
import { keptFor } from './kept-for.ts';

describe('a value cached per object', () => {
  it('is computed once for each object, even if it is undefined', () => {
    const made: object[] = [];
    const kept = keptFor((of: object) => {
      made.push(of);
      return made.length === 1 ? undefined : made.length;
    });
    const [one, other] = [{}, {}];
    expect([kept(one), kept(one), kept(other), kept(other)]).toEqual([undefined, undefined, 2, 2]);
  });
});
