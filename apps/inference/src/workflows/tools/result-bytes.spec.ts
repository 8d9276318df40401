import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mostResultBytes, freeBytes } from './result-bytes.ts';
import { firstBytes, RESULT_BYTES, RESULTS_OF_A_REPLY_BYTES } from './tool-call.ts';

const round = (...texts: readonly string[]) => ({ calls: texts.map((text) => ({ text })) });
const long = 'x'.repeat(RESULT_BYTES);

describe('the limit for the bytes of tool results', () => {
  it('is the limit of one call times the number of calls', () => expect(mostResultBytes([], 2)).toBe(2 * RESULT_BYTES));
  it('is never higher than the bytes that the reply has left', () => {
    expect(mostResultBytes([], 16)).toBe(RESULTS_OF_A_REPLY_BYTES);
    expect(mostResultBytes([round(long, long), round(long, long, long, long, long)], 16)).toBe(RESULT_BYTES);
    expect(mostResultBytes([round(...Array.from({ length: 8 }, () => long))], 1)).toBe(0);
  });
  it('is exceeded only by the notes about truncated results', () => {
    const result = fc.record({ length: fc.nat(2 * RESULT_BYTES), sign: fc.constantFrom('x', 'ß', '語') });
    fc.assert(
      fc.property(fc.array(fc.array(result, { minLength: 1, maxLength: 16 }), { maxLength: 10 }), (rounds) => {
        const done: { calls: { text: string }[] }[] = [];
        for (const results of rounds) {
          const most = mostResultBytes(done, results.length);
          const calls: { text: string }[] = [];
          for (const { length, sign } of results)
            calls.push({ text: firstBytes(firstBytes(sign.repeat(length), RESULT_BYTES), freeBytes([...done, { calls }])) });
          done.push({ calls });
          const marks = results.length * firstBytes('x'.repeat(100), 0).length;
          expect(calls.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(most + marks);
        }
      }),
      { numRuns: 20 },
    );
  });
});
