import { describe, expect, it } from '@jest/globals';
import { analyserFor } from './analyser.ts';
import { TextIndex } from './text-index.ts';
import { isOneTypoApart } from './vocabulary.ts';

const all = { isVisible: () => true, limit: 100 };
const newIndex = (language = 'en') => new TextIndex<string>(analyserFor(language).analyser, { title: 3, description: 1 });

/** An index of titles, or of titles with descriptions. The id of each document is its title. */
function indexOf(...texts: (string | [title: string, description: string])[]): TextIndex<string> {
  const index = newIndex();
  for (const text of texts) {
    const [title, description] = typeof text === 'string' ? [text, ''] : text;
    index.put(title, { title, description }, title);
  }
  return index;
}
const idsOf = (index: TextIndex<string>, query: string) => index.search(query, all).hits.map(({ id }) => id);

describe('a search', () => {
  it('ranks an exact word before a stem, a stem before a prefix, a prefix before a typo', () =>
    expect(idsOf(indexOf('paintre', 'painters', 'painterly', 'painter', 'plumber'), 'painter')).toEqual([
      'painter',
      'painters',
      'painterly',
      'paintre',
    ]));

  it.each([
    ['the same kind in the description', [['b', 'legal'], 'legal a'], 'legal', ['legal a', 'b']],
    ['another position of the word in the title', [['legal a', 'legal'], 'legal b'], 'legal', ['legal a', 'legal b']],
    [
      'one of two words, however well it matches',
      [
        ['red', ''],
        ['b', 'rede blues'],
        ['red blue red', ''],
      ],
      'red blue',
      ['red blue red', 'b'],
    ],
  ] as [string, [string, string][], string, string[]][])('ranks a match in the title compared with %s', (_, texts, query, ids) =>
    expect(idsOf(indexOf(...texts), query)).toEqual(ids),
  );

  it('ranks a document with all words before one with better matches of fewer', () =>
    expect(idsOf(indexOf(['alpha beta', 'alpha beta'], ['x', 'alphas betas gammas']), 'alpha beta gamma')).toEqual(['x', 'alpha beta']));

  it('ranks equal documents by descending id', () =>
    expect(idsOf(indexOf('bot a', 'bot c', 'bot b'), 'bot')).toEqual(['bot c', 'bot b', 'bot a']));

  it.each([
    ['red', ['red']],
    ['red green', []],
    ['red red green red', []],
    ['red blue green', ['red']],
    ['red blue green white', []],
  ])('needs more than half of the different words: %s', (query, ids) => expect(idsOf(indexOf(['red', 'blue']), query)).toEqual(ids));

  it.each(['', '   ', '!?', '🤖', '"', '""'])('finds nothing without a word: "%s"', (query) =>
    expect(indexOf('bot').search(query, all)).toEqual({ hits: [], next: null }),
  );

  it('ignores the query past 200 characters and 10 words', () => {
    const index = indexOf('bot');
    expect(idsOf(index, `bot ${'x'.repeat(195)} y z`)).toEqual([]);
    expect(idsOf(index, `bot${' '.repeat(197)}x y z`)).toEqual(['bot']);
    const letters = indexOf(['letters', 'a b c d e f'], ['five', 'a b c d e']);
    expect(idsOf(letters, 'a b c d e f g h i j q r s t')).toEqual(['letters']);
    expect(idsOf(letters, 'a b c d "e f" g h i j "q r" s')).toEqual(['letters']);
  });
});

describe('a prefix', () => {
  it.each([
    ['tr', ['translator', 'trainer']],
    ['tra', ['translator', 'trainer']],
    ['TRANSL', ['translator']],
    ['t', []],
    ['ranslator', ['translator']],
    ['anslator', []],
  ])('%s finds %j', (query, ids) => expect(idsOf(indexOf('translator', 'trainer', 'cook'), query)).toEqual(ids));

  it('counts in each word of a query', () => expect(idsOf(indexOf(['legal', 'contract assistant']), 'leg ass cont')).toEqual(['legal']));
  it('of two or three letters counts in the last four of such words', () => {
    const index = indexOf(['doc', 'abx cdx efx ghx ijx']);
    expect(idsOf(index, 'ab cd ef gh ij')).toEqual(['doc']);
    const score = (query: string) => index.search(query, all).hits[0]?.score;
    expect(score('ab cd ef gh ij')).toBe(score('cd ef gh ij'));
    const longer = indexOf(['doc', 'abcx bcdx cdex defx efgx']).search('abc bcd cde def efg', all).hits[0]?.score;
    expect(longer).toBe(score('ab cd ef gh ij'));
  });
});

describe('a typo', () => {
  it.each([
    ['left out', 'transltor'],
    ['added', 'translastor'],
    ['replaced', 'trenslator'],
    ['swapped with the next', 'tranlsator'],
    ['left out at the start', 'ranslator'],
    ['replaced at the start', 'xranslator'],
    ['swapped at the start', 'rtanslator'],
    ['swapped after the start', 'tarnslator'],
    ['added at the end', 'translatorx'],
    ['swapped at the end', 'translatro'],
  ])('is forgiven: a letter %s', (_, query) => expect(idsOf(indexOf('translator'), query)).toEqual(['translator']));

  it.each(['trxnslxtor', 'trnsltor', 'nartslator', 'rotalsnart'])('is not forgiven twice: %s', (query) =>
    expect(idsOf(indexOf('translator'), query)).toEqual([]),
  );

  it.each([
    ['cogk', 'cook', false],
    ['cooky', 'cook', true],
    ['brxad', 'bread', true],
    ['berad', 'bread', true],
    ['rbead', 'bread', true],
    ['braed', 'bread', true],
    ['brea', 'bread', true],
  ])('is accepted in words of five letters: %s for %s', (query, word, isFound) =>
    expect(idsOf(indexOf(word), query)).toEqual(isFound ? [word] : []),
  );

  it('is one edit or one swap', () => {
    expect(isOneTypoApart('abc', 'abc')).toBe(false);
    expect(isOneTypoApart('abcd', 'badc')).toBe(false);
    expect(isOneTypoApart('ca', 'abc')).toBe(false);
    expect(isOneTypoApart('', 'a')).toBe(true);
  });
});

describe('a phrase in quotes', () => {
  it.each([
    ['"legal advice"', ['b', 'legal advice']],
    ['"advice legal"', []],
    ['"legal advices"', ['b', 'legal advice']],
    ['"legal" advice', ['b', 'legal advice', 'legal', 'c']],
    ['"advice for free"', ['b']],
    ['"legal advice" "for free"', ['b']],
    ['"leg advice"', []],
    ['"legla advice"', []],
    ['"legal advice', ['b', 'legal advice', 'legal', 'c']],
    ['„legal advice“ fre', ['b', 'legal advice']],
  ])('%s finds %j', (query, ids) => {
    const index = indexOf('legal advice', ['legal', 'advice'], ['b', 'legal advice for free'], ['c', 'advice that is legal']);
    expect(idsOf(index, query).sort()).toEqual(ids.sort());
  });

  it('may be anywhere in its field, after a false start', () => {
    expect(idsOf(indexOf(['x', 'a a b a b c']), '"a b c"')).toEqual(['x']);
    expect(idsOf(indexOf('one two three'), '"two three"')).toEqual(['one two three']);
  });

  it('matches a word without its accents, although the word has another stem then', () => {
    const { analyser } = analyserFor('fr');
    expect(analyser.formsOf('cuisiniere').stem).not.toBe(analyser.formsOf('cuisinière').stem);
    const index = new TextIndex(analyser, { title: 5, description: 1 });
    index.put('x', { title: 'La cuisinière polonaise', description: '' }, '');
    expect(index.search('"cuisiniere polonaise"', { isVisible: () => true, limit: 1 }).hits).toMatchObject([{ id: 'x' }]);
  });

  it('is required up to the fourth of a query', () => {
    const index = indexOf('a b c d e f g h i j');
    expect(idsOf(index, '"a b" "c d" "e f" "h g"')).toEqual([]);
    expect(idsOf(index, '"a b" "c d" "e f" "g h" "j i"')).toEqual(['a b c d e f g h i j']);
  });

  it('does not span title and description', () => expect(idsOf(indexOf(['one two', 'three']), '"two three"')).toEqual([]));

  it('counts characters of a run as neighbours', () => {
    const index = newIndex('ja');
    index.put('a', { title: '東京都庁 案内', description: '' }, '');
    index.put('b', { title: '東京の都庁', description: '' }, '');
    expect(idsOf(index, '"東京都庁 案内"')).toEqual(['a']);
    expect(idsOf(index, '"東京都"')).toEqual(['a']);
  });
});

describe('an index', () => {
  it('keeps the latest text of each document', () => {
    const index = indexOf('one', 'two');
    index.put('one', { title: 'three', description: '' }, 'new');
    expect([index.size, index.get('one'), index.get('none')]).toEqual([2, 'new', undefined]);
    expect(idsOf(index, 'one')).toEqual([]);
    expect(idsOf(index, 'three')).toEqual(['one']);
    index.remove('one');
    index.remove('one');
    expect([index.size, index.get('one'), idsOf(index, 'three')]).toEqual([1, undefined, []]);
  });

  it('grows', () => {
    const index = newIndex();
    for (let n = 0; n < 1_000; n++) index.put(`id ${n}`, { title: `bot number${n}`, description: 'x' }, `doc ${n}`);
    expect(index.get(idsOf(index, 'number777')[0]!)).toBe('doc 777');
    expect(index.search('bot', { isVisible: () => true, limit: 2_000 }).hits).toHaveLength(1_000);
  });

  it('keeps the best of many equal documents whose ids share a long prefix', () => {
    const index = newIndex();
    for (let n = 10; n < 60; n++) index.put(`a_long_beginning_${n}`, { title: 'bot', description: '' }, '');
    const { hits } = index.search('bot', { isVisible: () => true, limit: 2 });
    expect(hits.map(({ id }) => id)).toEqual(['a_long_beginning_59', 'a_long_beginning_58']);
  });

  it('finds a word by a stem that begins differently', () => {
    const { analyser } = analyserFor('xx');
    const irregular = { ...analyser, formsOf: (term: string) => ({ word: term, stem: term === 'went' ? 'go' : term }) };
    const index = new TextIndex<null>(irregular, { title: 1, description: 1 });
    index.put('a', { title: 'went home', description: '' }, null);
    const found = () => index.search('go', { isVisible: () => true, limit: 1 }).hits.length;
    expect(found()).toBe(1);
    expect(index.search('"go home"', { isVisible: () => true, limit: 1 }).hits).toHaveLength(1);
    index.remove('a');
    expect(found()).toBe(0);
  });

  it('calls isVisible with the document only for matches', () => {
    const index = indexOf('red bot', 'blue bot', 'red car');
    const asked: [string, string][] = [];
    index.search('red bot car', { isVisible: (doc, id) => (asked.push([doc, id]), true), limit: 10 });
    expect(asked.sort()).toEqual([
      ['red bot', 'red bot'],
      ['red car', 'red car'],
    ]);
  });

  it('forgets the words of replaced documents', () => {
    const index = indexOf('always here');
    const sizes = new Set<string>();
    for (let n = 0; n < 5_000; n++) {
      index.put('one', { title: `word${n} common`, description: `${n} `.repeat(n % 40) }, `${n}`);
      if (n % 40 === 0) sizes.add(JSON.stringify(index.footprint()));
      if (n === 2_500) sizes.clear();
    }
    expect(sizes.size).toBe(1);
    index.remove('one');
    index.remove('always here');
    expect(index.footprint()).toMatchObject({ terms: 0, postings: 0 });
  });

  it.each([0, 1.5, -1, 1_001, NaN])('refuses the weight %d', (title) =>
    expect(() => new TextIndex(analyserFor('en').analyser, { title, description: 1 })).toThrow(RangeError),
  );
});
