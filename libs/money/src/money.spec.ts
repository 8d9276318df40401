import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, dollars, HIGHEST_CHARGE, nanoPerMillion } from './money.ts';

/** The expected decimal of an integer, with at most nine decimals. It is made by text operations only, without floating-point errors. */
const decimal = (nano: bigint): string => {
  const digits = nano.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
};

const count = (max: number) => fc.integer({ min: 0, max });

describe('amounts of money', () => {
  it('are exact in dollars up to eight million', () => {
    fc.assert(
      fc.property(count(8_388_608_000_000_000), (nano) => {
        const shown = JSON.parse(JSON.stringify(dollars(nano))) as number;
        expect(shown).toBe(Number(decimal(BigInt(nano))));
        expect(Math.round(Number((shown % 1).toFixed(9)) * 1e9) + Math.trunc(shown) * 1e9).toBe(nano);
        expect(nanoPerMillion(shown)).toBe(nano);
      }),
    );
  });

  it('never have more than nine decimals, however large', () => {
    fc.assert(
      fc.property(count(Number.MAX_SAFE_INTEGER), (nano) => {
        const [mantissa = '', exponent = '0'] = JSON.stringify(dollars(nano)).split('e-');
        expect((mantissa.split('.')[1] ?? '').length + Number(exponent)).toBeLessThanOrEqual(9);
      }),
    );
  });

  it('may be negative', () => expect(dollars(-1_500_000_000)).toBe(-1.5));

  it.each([0.5, Number.NaN, Infinity, 2 ** 53])('must be whole nano-dollars, unlike %p', (nano) => {
    expect(() => dollars(nano)).toThrow(RangeError);
  });
});

describe('prices per million tokens', () => {
  it.each([
    [3, 3_000_000_000],
    ['0.25', 250_000_000],
    [0.000000001, 1],
    [1.5e-7, 150],
    [0, 0],
  ])('%p dollars', (price, nano) => expect(nanoPerMillion(price)).toBe(nano));

  it.each([-1, '1e3', ' 5', '', '1.', 1e-10, 1e10, Number.NaN, 10_000_000, '0x5'])('may not be %p', (price) => {
    expect(() => nanoPerMillion(price)).toThrow(RangeError);
  });
});

describe('the cost of tokens', () => {
  it('is rounded half up to the nano-dollar', () => {
    expect(costOf(1, 500_000)).toBe(1);
    expect(costOf(1, 499_999)).toBe(0);
    expect(costOf(1_000_000, 3_000_000_000)).toBe(3_000_000_000);
    expect(costOf(0, 3_000_000_000)).toBe(0);
  });

  it('is within half a nano-dollar of the exact product, even past 2^53', () => {
    fc.assert(
      fc.property(count(10_000_000), count(100_000_000_000), (tokens, price) => {
        const off = BigInt(costOf(tokens, price)) * 1_000_000n - BigInt(tokens) * BigInt(price);
        expect(off > -500_000n && off <= 500_000n).toBe(true);
      }),
    );
  });

  it('never falls as tokens grow', () => {
    fc.assert(
      fc.property(count(1_000_000), count(1_000_000), count(100_000_000_000), (a, b, price) => {
        expect(costOf(Math.max(a, b), price)).toBeGreaterThanOrEqual(costOf(Math.min(a, b), price));
      }),
    );
  });

  it('is at most 10,000 dollars, so that sums remain safe integers despite wrong reports', () => {
    for (const [tokens, price] of [
      [100_000_000, nanoPerMillion(9_000_000)],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ] as const)
      expect(costOf(tokens, price)).toBe(HIGHEST_CHARGE);
    expect(dollars(HIGHEST_CHARGE * 900)).toBe(9_000_000);
  });

  it.each([
    [-1, 1],
    [0.5, 1],
    [1, Number.NaN],
  ])('has no answer for %p tokens at %p', (tokens, price) => {
    expect(() => costOf(tokens, price)).toThrow(RangeError);
  });
});
