import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { IsDollars } from './dollars.ts';

class CostBody {
  @IsDollars() cost: unknown;
}

const isAccepted = (cost: unknown): boolean => validateSync(Object.assign(new CostBody(), { cost })).length === 0;

describe('an amount of US dollars in a body', () => {
  it('has up to nine decimals', () => {
    const nano = fc.integer({ min: 0, max: 8_388_608_000_000_000 });
    fc.assert(fc.property(nano, (its) => expect(isAccepted(its / 1e9)).toBe(true)));
  });
  it.each([1e-10, 0.0000000015, -1, 10_000_000, Number.NaN, Infinity, '1', null])('is not valid as %p', (cost) =>
    expect(isAccepted(cost)).toBe(false),
  );
});
