import { revealHidden } from './hidden-characters.ts';

describe('a text on which a user bases a decision', () => {
  it.each([
    ['a zero-width space', '\u200b', '\\u{200b}'],
    ['a change of the direction', '\u202e', '\\u{202e}'],
    ['a soft hyphen', '\u00ad', '\\u{00ad}'],
    ['a filler of Hangul', '\u3164', '\\u{3164}'],
    ['a tag', '\u{e0041}', '\\u{e0041}'],
    ['a line separator', '\u2028', '\\u{2028}'],
  ])('shows %s as its number', (_, sign, shown) => expect(revealHidden(`a${sign}b`)).toBe(`a${shown}b`));
  it('keeps visible characters', () => {
    const seen = 'a b\n{"to": "Zoë ☎️ 漢字 مرحبا"}';
    expect(revealHidden(seen)).toBe(seen);
  });
});
