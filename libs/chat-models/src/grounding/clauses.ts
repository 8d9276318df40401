import { withoutMarkers } from '../citation-markers.ts';
import { sentenceParts } from '../local/sentences.ts';
import { wordsOf } from '../local/words.ts';
import { negatedPart, LINKING_WORDS, NUMBER_WORDS } from './word-lists.ts';

/** A part of a sentence that states one thing. */
export interface Clause {
  /** Prefixes of its words, without duplicates and numbers. */
  readonly stems: readonly string[];
  /** Numbers in normal form: `1,000`, `1.000` and `1000` are the same, `fourteen` is 14. */
  readonly numbers: readonly string[];
  readonly isNegated: boolean;
  /** The first word after the negation. Null without one. */
  readonly negated: string | null;
}

/** A clause ends here, so that a negation in one clause does not apply to another. */
const END_OF_CLAUSE =
  /[;:—–]\s|,\s|\s(?:but|whereas|although|aber|sondern|mais|pero|sino|ma|mas|maar|men|ale|но)\s|\s(?=(?:without|ohne|sans|sin|senza|sem|zonder|без)\s)/iu;
/** Markers of lists, headings and quotations at the beginning of a line. */
const LEADING_SIGNS = /^[ \t]*(?:[>#*+•-]+[ \t]+|\d{1,3}[.)][ \t]+)+/gm;
const NUMBER = /\d+(?:[.,'’ \u00A0\u202F]\d{3}(?!\d))*(?:[.,]\d+)?/g;
/** Removes a plural s, so that `card` and `cards` have the same stem. */
const withoutPlural = (stem: string): string => (stem.length > 3 ? stem.replace(/s$/, '') : stem);
const LETTER = /\p{L}/u;

/** The clauses of a text. Each step takes little time. */
export function* clausesOf(text: string): Generator<Clause> {
  const plain = withoutMarkers(text).replace(LEADING_SIGNS, '');
  for (const sentences of sentenceParts(plain)) {
    for (const sentence of sentences) {
      for (const part of sentence.split(END_OF_CLAUSE)) {
        // Includes empty clauses, so that the caller can yield to the event loop.
        yield clauseOf(part);
      }
    }
  }
}

export function clauseOf(text: string): Clause {
  const stems = new Set<string>();
  const numbers = new Set((text.match(NUMBER) ?? []).map(inOneForm));
  for (const [word, stem] of wordsOf(text)) {
    const number = NUMBER_WORDS.get(word);
    if (number !== undefined) numbers.add(number);
    else if (isContentWord(word, stem)) stems.add(withoutPlural(stem));
  }
  const negated = negatedPart(text);
  const [first] = negated === null ? [] : [...wordsOf(negated)].filter((word) => isContentWord(...word));
  return { stems: [...stems], numbers: [...numbers], isNegated: negated !== null, negated: first ? withoutPlural(first[1]) : null };
}

const isContentWord = (word: string, stem: string): boolean => LETTER.test(stem) && !LINKING_WORDS.has(word) && !NUMBER_WORDS.has(word);

export const saysAnything = ({ stems, numbers }: Clause): boolean => stems.length > 0 || numbers.length > 0;

function inOneForm(number: string): string {
  const ungrouped = number.replace(/[.,'’ \u00A0\u202F](?=\d{3}(?!\d))/g, '').replace(',', '.');
  return ungrouped
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}
