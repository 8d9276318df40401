import { describe, expect, it } from '@jest/globals';
import { nanoDollarsOf } from './nano-dollars.ts';

describe('a price of the source', () => {
  it.each([
    ['0', 0],
    ['0.0123456789', 12_345_679],
    ['0.0000000005', 1],
    ['0.00000000049999', 0],
    ['1.5E-7', 150],
    ['12E+1', 120_000_000_000],
    ['0.1000000000000000055511151231257827', 100_000_000],
  ])('of %s is rounded to whole nano-dollars', (text, nano) => expect(nanoDollarsOf(text)).toBe(nano));
  it.each(['-1', 'NaN', '', '1,5', '1e300', 'much'])('is invalid: %j', (text) => expect(nanoDollarsOf(text)).toBeNull());
});
