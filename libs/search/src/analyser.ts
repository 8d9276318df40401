import { type Language, languageOf, plain } from './languages.ts';

/** One word of a text, in lower case and normal form, with its accents. */
export interface Term {
  text: string;
  position: number;
  /** True for the last character of a run of Han, kana or hangul. A text keeps it, so that a query of one character finds it. A query drops it. */
  isRest: boolean;
}

/** The two forms that a term is found by, both without accents. */
export interface Forms {
  word: string;
  stem: string;
}

export interface Analyser {
  /** The words of a text. A word's position is its index. */
  terms(text: string): Term[];
  formsOf(term: string): Forms;
}

/** Characters of a text that are read. The rest is ignored. */
export const MAX_TEXT = 1_000;
/** NFKC can turn one character into 18. Characters past this limit are ignored. */
const MAX_NORMAL_TEXT = 2 * MAX_TEXT;
/** Characters of a word that count. Words that differ only after them are the same. */
export const MAX_WORD = 64;

const RUNS =
  /(?<bigrams>[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}\p{M}]]+)|(?<thai>[\p{sc=Thai}&&[\p{L}\p{N}\p{M}]]+)|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]*/gv;
const WRITTEN_WITHOUT_SPACES = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/v;
const POSSESSIVES = /['’]s(?![\p{L}\p{N}])/gu;
const ASCII = /^[\0-\x7f]*$/; // eslint-disable-line no-control-regex
const ASCII_WORDS = /[a-z0-9]+/g;
/** Accents are removed from Latin and Greek letters only. In other scripts a mark makes another letter: й, が. */
const ACCENTS = /(?<=[\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu;
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ς: 'σ', ё: 'е' };
const LETTERS_WITHOUT_MARKS = /[ßæœøłđðþıςё]/g;

/** Created for the first Thai text, because its dictionary is large. */
let thaiWords: Intl.Segmenter | undefined;

/** The analyser for a language tag. An unlisted language gets an analyser that does not stem. */
export function analyserFor(language: string): { analyser: Analyser; isKnown: boolean } {
  const rules = languageOf(language);
  return { analyser: analyserOf(rules ?? plain), isKnown: rules !== undefined };
}

/** Whether a word is Han, kana or hangul. One such character is enough for a prefix, since it is about as rare as a prefix of letters. */
export const isWrittenWithoutSpaces = (word: string): boolean => WRITTEN_WITHOUT_SPACES.test(word);

function analyserOf({ stem, elided }: Language): Analyser {
  return {
    terms(text) {
      const normal = text.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_NORMAL_TEXT).toLowerCase();
      const bare = /['’]/.test(normal) ? withoutApostrophes(normal, elided) : normal;
      const terms: Term[] = [];
      const add = (word: string, isRest = false) => terms.push({ text: word.slice(0, MAX_WORD), position: terms.length, isRest });
      // Faster for most texts.
      if (ASCII.test(bare)) {
        for (const word of bare.match(ASCII_WORDS) ?? []) add(word);
        return terms;
      }
      for (const { 0: run, groups } of bare.matchAll(RUNS)) {
        if (groups?.bigrams !== undefined) addBigrams(run, add);
        else if (groups?.thai !== undefined) for (const { segment } of segmenter().segment(run)) add(segment);
        else add(run);
      }
      return terms;
    },
    // Stemmed with its accents, as the algorithms expect, and folded afterwards.
    formsOf: (term) => ({ word: folded(term), stem: isWrittenWithoutSpaces(term) ? term : folded(stem(term)) }),
  };
}

function withoutApostrophes(text: string, elided: RegExp | undefined): string {
  const owned = text.replace(POSSESSIVES, '');
  return elided ? owned.replace(elided, '') : owned;
}

/** ABC becomes AB, BC and the single C. */
function addBigrams(run: string, add: (word: string, isRest?: boolean) => void): void {
  const letters = Array.from(run);
  letters.forEach((letter, at) => {
    const next = letters[at + 1];
    if (next === undefined) add(letter, at > 0);
    else add(letter + next);
  });
}

const segmenter = (): Intl.Segmenter => (thaiWords ??= new Intl.Segmenter('th', { granularity: 'word' }));

function folded(word: string): string {
  if (ASCII.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(LETTERS_WITHOUT_MARKS, (letter) => LETTERS[letter] ?? letter);
}
