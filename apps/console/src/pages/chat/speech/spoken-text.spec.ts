import { describe, expect, it } from '@jest/globals';
import { spokenPieces } from './spoken-text.ts';

const spoken = (markdown: string): string => spokenPieces(markdown).join(' ');

describe('what is read aloud of a reply', () => {
  it.each([
    ['# A **bold** title', 'A bold title'],
    ['It opens [at nine](https://example.org/a).[^1]', 'It opens at nine.'],
    ['Run `npm start`:\n\n```sh\nnpm start\n```\n\nThat is all.', 'Run npm start:\nThat is all.'],
    ['- one\n- two', 'one\ntwo'],
    ['| Day | Time |\n| - | - |\n| Monday | 9 |', 'Day, Time\nMonday, 9'],
    ['<b>Loud</b> ![a harbour](x.png)', 'Loud a harbour'],
    ['```js\nonly()\n```', ''],
    ['5 < 6 & 7 > 6', '5 < 6 & 7 > 6'],
  ])('is its text without formatting, code and citations: %j', (markdown, text) => expect(spoken(markdown)).toBe(text));

  it('comes in pieces of whole sentences, of which the first is short', () => {
    const sentence = 'The harbour closes at nine in the evening. ';
    const pieces = spokenPieces(sentence.repeat(100));
    expect(pieces.join(' ')).toBe(sentence.repeat(100).trim());
    expect(pieces[0]!.length).toBeLessThanOrEqual(300);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(1_500);
      expect(piece.endsWith('evening.')).toBe(true);
    }
  });
  it('is cut where a sentence does not end', () => {
    const pieces = spokenPieces('a'.repeat(10_000));
    expect(pieces.join('')).toBe('a'.repeat(10_000));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1_500);
  });
});
