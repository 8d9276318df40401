import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';

export interface Language {
  stem(word: string): string;
  /** Articles and similar words before an apostrophe: l'assistante, dell'arte. They are removed. */
  elided?: RegExp;
}

const unstemmed = (word: string) => word;

/** For languages without rules of their own: words are folded but not stemmed. */
export const plain: Language = { stem: unstemmed };

const FRENCH_ELISIONS = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu|lorsqu|puisqu)['’](?=\p{L})/gu;
const ITALIAN_ELISIONS = /(?<![\p{L}\p{N}])(?:[dlmstv]|un|(?:de|da|ne|su|co|a)?ll|quest|quell)['’](?=\p{L})/gu;

const known: Record<string, Language> = {
  en: { stem: english },
  de: { stem: german },
  fr: { stem: french, elided: FRENCH_ELISIONS },
  es: { stem: spanish },
  it: { stem: italian, elided: ITALIAN_ELISIONS },
  pt: { stem: portuguese },
  nl: { stem: dutch },
  sv: { stem: swedish },
  no: { stem: norwegian },
  nb: { stem: norwegian },
  nn: { stem: norwegian },
  da: { stem: danish },
  fi: { stem: finnish },
  // The algorithm does not know ё, and texts often use е instead.
  ru: { stem: (word) => russian(word.replaceAll('ё', 'е')) },
  // Their scripts are split in the same way in every language, and have no endings to remove.
  ja: plain,
  zh: plain,
  ko: plain,
  th: plain,
};

/** The rules for a language tag such as `pt-BR`, or undefined. Only the first part of the tag counts. */
export function languageOf(tag: string): Language | undefined {
  const code = tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return Object.hasOwn(known, code) ? known[code] : undefined;
}
