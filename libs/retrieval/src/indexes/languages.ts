// Also runs uncompiled in threads: only erasable types.
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Languages whose words are stemmed before they reach a full-text index, which then stems all words as English. English is therefore not among
 * them: Snowball's stems gave an nDCG@10 of .690 on SciFact, the indexes' own stems .692.
 */
const STEMMERS = { de: german, es: spanish, fr: french, it: italian, nl: dutch, pt: portuguese };
export type Language = keyof typeof STEMMERS;

/** How many characters of a text are examined, and how many stop words of a language must be in them. */
const EXAMINED = 600;
const LEAST_STOP_WORDS = 3;
/** English words such as IL and MI are stop words of other languages. One chunk in a wrong language would add forms to all queries of its index. */
const LEAD_OVER_ENGLISH = 2;
/** Latin words with accents. Shorter words have no endings worth the time. No Unicode properties, because they take twice as long. */
const STEMMED = /[a-z\u00df-\u024f]{4,}/g;
const WORD = /\p{L}+/gu;
/** Cached stems per language. */
const MOST_REMEMBERED = 20_000;

const remembered = new Map<Language, Map<string, string>>();

/** The language of a text by its stop words. Null for English, and if the stop words do not decide. */
export function languageOf(text: string): Language | null {
  const found = new Map<string, number>();
  for (const word of text.slice(0, EXAMINED).toLowerCase().match(WORD) ?? [])
    for (const language of LANGUAGES_OF.get(word) ?? []) found.set(language, (found.get(language) ?? 0) + 1);
  const [first, second] = [...found].sort(([, one], [, other]) => other - one);
  if (!first || first[1] < LEAST_STOP_WORDS || first[1] === second?.[1]) return null;
  if (first[1] < LEAD_OVER_ENGLISH * (found.get('en') ?? 0)) return null;
  return first[0] in STEMMERS ? (first[0] as Language) : null;
}

/** The text with its words stemmed, in lower case. */
export function stemmed(text: string, language: Language | null): string {
  if (language === null) return text;
  let stems = remembered.get(language);
  if (!stems || stems.size > MOST_REMEMBERED) remembered.set(language, (stems = new Map()));
  const cache = stems;
  return text.toLowerCase().replace(STEMMED, (word) => {
    let stem = cache.get(word);
    if (stem === undefined) cache.set(word, (stem = STEMMERS[language](word)));
    return stem;
  });
}

/** The forms that a word can have in an index of texts in these languages. */
export const formsIn = (word: string, languages: readonly (Language | null)[]): readonly string[] => [
  ...new Set(languages.map((language) => stemmed(word, language))),
];

const LANGUAGES_OF: ReadonlyMap<string, readonly string[]> = languagesOf();

function languagesOf(): Map<string, string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(STOP_WORDS))
    for (const word of words) languages.set(word, [...(languages.get(word) ?? []), language]);
  return languages;
}
