import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromBase64url, Tampered } from './cipher.ts';

const decoded = (text: string): Buffer | null => {
  try {
    return fromBase64url(text, 'a text');
  } catch (error) {
    expect(error).toBeInstanceOf(Tampered);
    return null;
  }
};

describe('the text of a sealed value', () => {
  it('is decoded if it is the encoding of its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) =>
        expect(decoded(Buffer.from(bytes).toString('base64url'))).toEqual(Buffer.from(bytes)),
      ),
    );
  });

  it('is refused if it is any other text of the same bytes', () => {
    // Few characters, so that many texts are short encodings with one change.
    const character = fc.constantFrom(...'AQgw01-_', '+', '/', '=', ' ', '\n', 'é', '\u0141');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 9 }), (text) => {
        const isEncoding = Buffer.from(text, 'base64url').toString('base64url') === text;
        expect(decoded(text) !== null).toBe(isEncoding);
      }),
      { numRuns: 5_000 },
    );
    for (const text of ['AB', 'A', 'A+', '_/', 'AA==', 'AAA\n', 'AA\u0141A']) expect([text, decoded(text)]).toEqual([text, null]);
  });
});
