import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { excerptOf, folded, hasAll, MAX_SEARCH, MAX_WORDS, wordsOf } from './search-words.ts';

const found = async (text: string, query: string) => excerptOf(text, wordsOf(query));
/** The parts of the excerpt that are marked. */
async function marked(text: string, query: string) {
  const excerpt = await found(text, query);
  return excerpt && excerpt.matches.map(({ start, length }) => excerpt.text.slice(start, start + length));
}

describe('words that are searched in a text', () => {
  it.each([
    ['The sky is BLUE.', 'blue', ['BLUE']],
    ['Ein schöner Café-Besuch', 'cafe SCHONER', ['schöner', 'Café']],
    ['Große Straße', 'strasse', ['Straße']],
    ['ΟΔΟΣ και οδός', 'οδος', ['ΟΔΟΣ', 'οδός']],
    ['Ёлка и ёж', 'елка', ['Ёлка']],
    ['青い空は青い', '空', ['空']],
    ['restart it', 'art', ['art']],
    ['a.b (c)', '"b (c"', ['b (c']],
    ['the blue\n  sky', '"blue sky"', ['blue\n  sky']],
    ['e\u0301tude', 'étude', ['e\u0301tude']],
    ['😀 smile 😀', 'smile', ['smile']],
    ['Why? Because.', 'why? because!', ['Why', 'Because']],
  ])('are found in %j: %j', async (text, query, matches) => expect(await marked(text, query)).toEqual(matches));
  it('must all occur', async () => {
    expect(await found('The sky is blue.', 'sky green')).toBeNull();
    expect(await found('blue is the sky', '"the blue"')).toBeNull();
  });
  it('are found anywhere in a long text, even across the pieces in which it is read', async () => {
    for (const before of [16_380, 16_384, 100_000]) {
      const text = `${'ä'.repeat(before)} needle ${'x'.repeat(20_000)}`;
      expect(await marked(text, 'needle')).toEqual(['needle']);
      expect((await found(text, 'needle'))!.text.length).toBeLessThan(400);
    }
  });
  it('may be far from each other', async () => expect(await marked(`first ${'x'.repeat(50_000)} last`, 'first last')).toEqual(['first']));
  it('begin an excerpt with a whole word', async () => {
    const { text } = (await found(`${'word '.repeat(100)}needle`, 'needle'))!;
    expect(text).toMatch(/^word .*needle$/);
  });
  it('are bounded in number', () => expect(wordsOf('a '.repeat(MAX_SEARCH / 2))).toHaveLength(MAX_WORDS));
  it('are none if the query is only punctuation', () => expect(wordsOf('?! "" ...')).toEqual([]));
  it('are searched in titles', () =>
    expect([hasAll('Über uns', wordsOf('uber')), hasAll('Über uns', wordsOf('euch'))]).toEqual([true, false]));
  it('are marked at their position, whatever precedes them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (before) => {
        const excerpt = (await found(`${before} Qüeß9`, 'quess9'))!;
        const { start, length } = excerpt.matches.at(-1)!;
        expect(excerpt.text.slice(start, start + length)).toContain('Qüeß9');
      }),
    );
  });
  it('fold to the same text as their parts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        fc.pre(!/^\p{M}/u.test(other));
        expect(folded(one + other)).toBe(folded(one) + folded(other));
      }),
    );
  });
});
