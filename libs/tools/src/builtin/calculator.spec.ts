import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Calculator } from './calculator.ts';

const compute = async (expression: unknown) => new Calculator().call({ expression }).then(({ text, isError }) => [text, isError]);

describe('the calculator', () => {
  it.each([
    ['1 + 1', '2'],
    ['0.1 + 0.2', '0.3'],
    ['(17.5 + 3) * 12 / 8', '30.75'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ** -2', '0.25'],
    ['7 % 3 + -7 % 3', '3'],
    ['--1 - +1', '0'],
    ['1.5e3', '1500'],
    ['sqrt(2.25)', '1.5'],
    ['round(2.345, 2) + round(-0.5)', '2.35'],
    ['max(1, 3, 2) - min(4, 2) + abs(-1) + ceil(0.1) + floor(-0.1)', '2'],
    ['2^64', '18446744073709551616'],
  ])('computes %s exactly', async (expression, value) => expect(await compute(expression)).toEqual([value, false]));
  it.each([
    ['1 / 3', '0.333333333333333333333333333333 (rounded)'],
    ['sqrt(2)', '1.41421356237309504880168872421 (rounded)'],
  ])('rounds %s', async (expression, value) => expect(await compute(expression)).toEqual([value, false]));
  it.each(['1 / 0', '0 ^ -1', 'sqrt(-1)', '2 ^ 0.5', '1 +', '(1', '1 2', 'x', 'abs 1', 'abs(1, 2)', '', '1 & 2', 17, null])(
    'explains why %j has no value',
    async (expression) => {
      const [text, isError] = await compute(expression);
      expect([isError, text]).toEqual([true, expect.stringMatching(/\.$/)]);
    },
  );
  it.each([
    '9^9^9',
    '2^999999',
    '(2^9000)^9',
    '1'.repeat(2_000),
    '('.repeat(500),
    '-'.repeat(900),
    '2^'.repeat(400) + '2',
    '1e9999*1e9999',
  ])('refuses what would take too long: %.20s', async (expression) => {
    const begun = process.threadCpuUsage();
    expect((await compute(expression))[1]).toBe(true);
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
  it.each([
    [49, '1', false],
    [50, 'The expression has too many brackets.', true],
  ])('answers %i nested brackets with %j', async (count, text, isError) =>
    expect(await compute(`${'('.repeat(count)}1${')'.repeat(count)}`)).toEqual([text, isError]),
  );
  it('is right for any whole numbers', () =>
    fc.assert(
      fc.asyncProperty(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.bigInt(1n, 10n ** 40n), async (a, b) => {
        expect(await compute(`(${a}) * ${b} + ${b} - (${a})`)).toEqual([String(a * b + b - a), false]);
        expect(await compute(`((${a}) / ${b}) * ${b}`)).toEqual([String(a), false]);
      }),
    ));
  it('never throws', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'0123456789.e+-*/%^(), minaxsqrt') }), async (expression) => {
        expect(await new Calculator().call({ expression })).toMatchObject({ text: expect.any(String) });
      }),
      { numRuns: 1_000 },
    ));
});
