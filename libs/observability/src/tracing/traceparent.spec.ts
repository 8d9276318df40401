import { describe, expect, it } from '@jest/globals';
import { newTraceparent, readTraceparent, traceIdOf } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('can be read after it was made, and is always different', () => {
    const made = Array.from({ length: 1_000 }, newTraceparent);
    expect(new Set(made.map(traceIdOf)).size).toBe(1_000);
    for (const each of made) expect(readTraceparent(each)).toBe(each);
  });

  it('of a later version is read like version 00', () => {
    expect(readTraceparent(`01-${trace}-${span}-01-more`)).toBe(`00-${trace}-${span}-01`);
  });

  it.each([
    undefined,
    ['00'],
    '',
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}-1`,
    `00-${trace}-${span}`,
    `01-${trace}-${span}-01more`,
    `00-${trace}-${span}-01\n`,
  ])('%j is none', (value) => expect(readTraceparent(value)).toBeUndefined());
});
