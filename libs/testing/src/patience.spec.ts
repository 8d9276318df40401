import { afterEach, describe, expect, it } from '@jest/globals';
import { mustEnd } from './must-end.ts';
import { patience } from './patience.ts';

describe('patience', () => {
  const before = process.env.PATIENCE;
  afterEach(() => {
    if (before === undefined) delete process.env.PATIENCE;
    else process.env.PATIENCE = before;
  });

  it.each([
    [undefined, 1_000],
    ['1', 1_000],
    ['2.5', 2_500],
  ])('of %s multiplies every limit', (factor, expected) => {
    if (factor === undefined) delete process.env.PATIENCE;
    else process.env.PATIENCE = factor;
    expect(patience(1_000)).toBe(expected);
  });

  it.each(['0', '-1', 'long', '', 'Infinity'])('of %j is refused', (factor) => {
    process.env.PATIENCE = factor;
    expect(() => patience(1_000)).toThrow('it has to be a number above 0');
  });
});

describe('work that must end', () => {
  it('returns its result', () => expect(mustEnd(() => 7)).toBe(7));

  it('is ended if it takes too long, even if it never yields', () => {
    const endless = () => {
      for (;;);
    };
    expect(() => mustEnd(endless, 50)).toThrow(/timed out/);
    expect(() => mustEnd(() => /^(a+)+$/.test(`${'a'.repeat(50)}!`), 50)).toThrow(/timed out/);
  });
});
