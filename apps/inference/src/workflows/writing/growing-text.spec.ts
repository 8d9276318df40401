import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GrowingText } from './growing-text.ts';

describe('a growing text', () => {
  it('is read completely in pieces of any length, from any offset', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 700 }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 2, max: 3_000 }), fc.nat(2_000), (parts, most, offset) => {
        const text = new GrowingText();
        for (const part of parts) text.add(part);
        const whole = parts.join('');
        let read = '';
        for (let part = text.from(offset, most); part !== ''; part = text.from(offset + read.length, most)) read += part;
        expect([text.toString(), text.length, read]).toEqual([whole, whole.length, whole.slice(offset)]);
      }),
    );
  });
  it('holds half a character back until the other half arrives', () => {
    const text = new GrowingText();
    text.add('a\ud83d');
    expect(text.from(0, 10)).toBe('a');
    text.add('\ude00');
    expect([text.from(0, 2), text.from(1, 10)]).toEqual(['a', '\u{1f600}']);
  });
});
