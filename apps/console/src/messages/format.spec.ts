import { formatAge, formatBytes, formatList, formatMoney } from './format.ts';
import { plural } from './plural.ts';

describe('amounts of money', () => {
  it.each([
    [0, '$0.00'],
    [0.01, '$0.01'],
    [0.00123, '$0.0012'],
    [-0.00123, '-$0.0012'],
    [1234.567, '$1,234.57'],
  ])('%d dollars are %s', (dollars, text) => expect(formatMoney(dollars)).toBe(text));
});

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [1_250_000, '1.3 MB'],
    [1e9, '1 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe('lists', () => {
  it.each([
    [[], ''],
    [['one'], 'one'],
    [['one', 'two', 'three'], 'one, two, three'],
  ])('of %j are written as %j', (items, text) => expect(formatList(items)).toBe(text));
});

describe('ages', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  it.each([
    [now / 1_000 - 3_600, '1 hour ago'],
    ['2026-11-21T12:00:00Z', '2 days ago'],
    [now / 1_000 + 120, 'in 2 minutes'],
    [now / 1_000 - 59, '59 seconds ago'],
  ])('of %j are %s', (time, text) => expect(formatAge(time, now)).toBe(text));
});

describe('forms for numbers', () => {
  it('follow the language, and default to the last one', () => {
    expect([1, 1_000].map((n) => plural(n, { one: '{n} file', other: '{n} files' }))).toEqual(['1 file', '1,000 files']);
    expect(plural(1, { other: '{n} in all' })).toBe('1 in all');
  });
});
