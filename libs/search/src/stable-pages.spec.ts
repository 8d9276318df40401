import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyserFor, type Forms } from './analyser.ts';
import { keyOf } from './best.ts';
import { queryOf } from './query.ts';
import { type Place, TextIndex, type Texts } from './index.ts';

const { analyser } = analyserFor('en');
const WEIGHTS = { title: 3, description: 1 };
const PER_WORD = 2 ** 19;

// Few and similar words, so that every kind of match is frequent.
const word = fc.constantFrom(
  'paint',
  'paints',
  'painter',
  'paimt',
  'paitn',
  'painting',
  'aint',
  'red',
  'reds',
  're',
  'x',
  '猫',
  '猫の',
  'café',
  'cafe',
  'bread',
);
const texts: fc.Arbitrary<Texts> = fc
  .tuple(fc.array(word, { maxLength: 4 }), fc.array(word, { maxLength: 6 }))
  .map(([title, description]) => ({ title: title.join(' '), description: description.join(' ') }));
// Ids that differ early, that differ late, that are short, and that are not ASCII.
const id = fc.integer({ min: 0, max: 25 }).map((n) => [`bot_${n}`, `a_long_prefix_${n}`, `${n}`, `bot_é${n}`, `bot_漢${n}`][n % 5]!);
const query = fc
  .array(
    fc.oneof(
      word,
      fc.tuple(word, word).map((pair) => `"${pair.join(' ')}"`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));
const change = fc.tuple(id, fc.option(texts, { nil: null, freq: 3 }));

/** The documents themselves. Changes apply to both the store and the index. */
type Store = Map<string, Texts>;

function apply(changes: [string, Texts | null][], store: Store, index: TextIndex<Texts>): void {
  for (const [key, value] of changes) {
    if (value === null) {
      store.delete(key);
      index.remove(key);
    } else {
      store.set(key, value);
      index.put(key, value, value);
    }
  }
}

/** Restricted Damerau-Levenshtein distance, computed with the whole table. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
    }
  return table[a.length]![b.length]!;
}

const isSame = (asked: Forms, found: Forms) => found.word === asked.word || found.stem === asked.stem;

function worthOf(asked: Forms, found: Forms): number {
  if (found.word === asked.word) return 8;
  if (found.stem === asked.stem) return 6;
  if ((asked.word.length >= 2 || asked.word === '猫') && found.word.startsWith(asked.word)) return 4;
  return asked.word.length >= 5 && distance(asked.word, found.word) === 1 ? 2 : 0;
}

/** The score of one document by the rules, or 0. */
function scoreOf({ title, description }: Texts, text: string): number {
  const { words, phrases } = queryOf(text, analyser);
  const fields = [title, description].map((field) => analyser.terms(field).map((term) => analyser.formsOf(term.text)));
  const best = words.map((asked) => fields.map((field) => Math.max(0, ...field.map((found) => worthOf(asked, found)))));
  const matched = best.filter(([inTitle, inDescription]) => inTitle! + inDescription! > 0).length;
  const hasPhrases = phrases.every((phrase) =>
    fields.some((field) =>
      field.some((_, at) => phrase.every(({ forms, distance: step }) => field[at + step] && isSame(forms, field[at + step]!))),
    ),
  );
  if (!hasPhrases || 2 * matched <= words.length) return 0;
  return best.reduce(
    (sum, [inTitle, inDescription]) => sum + WEIGHTS.title * inTitle! + WEIGHTS.description * inDescription!,
    matched * PER_WORD,
  );
}

const isBehind = (place: Place, than: Place) => place.score < than.score || (place.score === than.score && place.id < than.id);

function resultOf(store: Store, text: string, isVisible: (id: string) => boolean): Place[] {
  return [...store]
    .map(([key, value]) => ({ id: key, score: isVisible(key) ? scoreOf(value, text) : 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (isBehind(a, b) ? 1 : -1));
}

describe('the pages of a result', () => {
  it('follow the rules, before and after any changes', () =>
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), query, fc.integer({ min: 1, max: 6 }), (changes, text, limit) => {
        const store: Store = new Map();
        const index = new TextIndex<Texts>(analyser, WEIGHTS);
        apply(changes, store, index);
        const expected = resultOf(store, text, () => true);
        const pages: Place[] = [];
        let after: Place | undefined;
        do {
          const { hits, next } = index.search(text, { isVisible: () => true, limit, after });
          pages.push(...hits);
          after = next ?? undefined;
        } while (after);
        expect(pages).toEqual(expected);
      }),
      { numRuns: 400 },
    ));

  it('show an unchanged document exactly once, while others are added, changed and removed', () =>
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 5, maxLength: 40 }),
        fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 20 }),
        query,
        fc.integer({ min: 1, max: 4 }),
        (changes, between, text, limit) => {
          const store: Store = new Map();
          const index = new TextIndex<Texts>(analyser, WEIGHTS);
          apply(changes, store, index);
          const changed = new Set(between.flat().map(([key]) => key));
          const expected = resultOf(store, text, (key) => !changed.has(key));
          const shown: Place[] = [];
          let after: Place | undefined;
          for (let page = 0; page === 0 || after; page++) {
            const { hits, next } = index.search(text, { isVisible: () => true, limit, after });
            expect(hits).toEqual(
              resultOf(store, text, () => true)
                .filter((place) => !after || isBehind(place, after))
                .slice(0, limit),
            );
            shown.push(...hits);
            after = next ?? undefined;
            apply(between[page] ?? [], store, index);
          }
          expect(shown.filter((hit) => !changed.has(hit.id))).toEqual(expected);
        },
      ),
      { numRuns: 400 },
    ));

  it('do not depend on invisible documents', () =>
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 40 }),
        fc.array(id, { maxLength: 15 }),
        query,
        fc.integer({ min: 1, max: 6 }),
        (changes, hidden, text, limit) => {
          const [withHidden, without] = [new TextIndex<Texts>(analyser, WEIGHTS), new TextIndex<Texts>(analyser, WEIGHTS)];
          apply(changes, new Map(), withHidden);
          apply(
            changes.filter(([key]) => !hidden.includes(key)),
            new Map(),
            without,
          );
          expect(withHidden.search(text, { isVisible: (_, key) => !hidden.includes(key), limit })).toEqual(
            without.search(text, { isVisible: () => true, limit }),
          );
        },
      ),
      { numRuns: 300 },
    ));
});

describe('the key of an id', () => {
  it('is never lower than the key of a lower id', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\0', 'a', 'b', '~', '\x7f', 'é', '漢'), maxLength: 9 }),
        fc.string({ unit: 'binary', maxLength: 9 }),
        (a, b) => {
          const [low, high] = [a, b].sort() as [string, string];
          expect(keyOf(low)).toBeLessThanOrEqual(keyOf(high));
          expect(Number.isSafeInteger(keyOf(b))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    ));
});
