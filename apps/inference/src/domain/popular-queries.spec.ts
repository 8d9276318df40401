import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldedQuery, PopularQueries } from './popular-queries.ts';

function popular(texts: readonly string[], limit = 10) {
  const queries = new PopularQueries();
  for (const text of texts) queries.add(text);
  for (const turns = queries.top(limit); ;) {
    const { done, value } = turns.next();
    if (done) return value;
  }
}

describe('popular queries', () => {
  it('ignore case, spaces and punctuation, and are shown in their most frequent form', () => {
    expect(popular(['How do I reset?', 'how do I  reset', 'HOW DO I RESET!!', 'How do I reset?', 'Hello'])).toEqual([
      { query: 'How do I reset?', count: 4 },
      { query: 'Hello', count: 1 },
    ]);
  });
  it('include nearly identical ones', () => {
    const texts = [
      'How do I reset my password?',
      'How do I reset my password?',
      'how do i reset my pasword',
      'How do I reset the printer?',
    ];
    expect(popular(texts)).toEqual([
      { query: 'How do I reset my password?', count: 3 },
      { query: 'How do I reset the printer?', count: 1 },
    ]);
  });
  it.each([
    ['opening hours', 'closing hours'],
    ['What is 2 + 2?', 'What is 3 + 3?'],
    ['hi', 'no'],
  ])('keep %j and %j apart', (a, b) => expect(popular([a, b])).toHaveLength(2));
  it('are limited to the requested number, the most frequent first', () => {
    expect(popular(['one', 'two', 'two', 'three hundred'], 1)).toEqual([{ query: 'two', count: 2 }]);
  });
  it('leave out texts without a letter or a number', () => expect(popular(['?!', '  ', ''])).toEqual([]));
  it('fold letters of all scripts', () => {
    expect(foldedQuery('  Straße, ＡＢＣ — 日本語？ ')).toBe('straße abc 日本語');
    expect(popular(['日本語は？', '日本語は'])).toEqual([{ query: '日本語は', count: 2 }]);
  });
  it('count each text once, whatever their order', () => {
    const words = fc.constantFrom('reset', 'password', 'printer', 'how', 'Why?');
    const texts = fc.array(
      fc.array(words, { minLength: 1, maxLength: 4 }).map((its) => its.join(' ')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(texts, (all) => {
        const counts = (found: readonly { count: number }[]) => found.map(({ count }) => count);
        expect(counts(popular(all, 100)).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        expect(counts(popular(all.toReversed(), 100))).toEqual(counts(popular(all, 100)));
      }),
    );
  });
});
