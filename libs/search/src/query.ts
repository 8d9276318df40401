import { type Analyser, type Forms, isWrittenWithoutSpaces } from './analyser.ts';

/** Characters of a query that are read. The rest is ignored. */
export const MAX_QUERY = 200;
/** Words of a query that are used, including quoted ones. The rest is ignored. */
export const MAX_WORDS = 10;
/** Phrases of a query that are required. The words of further phrases count as unquoted. */
export const MAX_PHRASES = 4;
/** Shorter words are not searched as prefixes, except one character of Han, kana or hangul. */
export const MIN_PREFIX = 2;
/** Many words have a prefix of this length or less, so only the last such words of a query are searched as prefixes. */
export const SHORT_PREFIX = 3;
export const MAX_SHORT_PREFIXES = 4;

export interface QueryWord extends Forms {
  isPrefix: boolean;
}

/** Words that must follow each other in one field, with their distance from the first. */
export type Phrase = { forms: Forms; distance: number }[];

export interface Query {
  /** Each word once. */
  words: QueryWord[];
  phrases: Phrase[];
}

/** Splits a query into words and phrases. An unclosed quote is ignored, because its phrase is still being typed. */
export function queryOf(text: string, analyser: Analyser): Query {
  const parts = text.slice(0, MAX_QUERY).split(/["“”„«»]/u);
  const words = new Map<string, Forms>();
  const phrases: Phrase[] = [];
  let used = 0;
  parts.forEach((part, index) => {
    const terms = analyser
      .terms(part)
      .filter(({ isRest }) => !isRest)
      .slice(0, MAX_WORDS - used);
    used += terms.length;
    const phrase = terms.map(({ text: term, position }) => ({ forms: analyser.formsOf(term), distance: position - terms[0]!.position }));
    for (const { forms } of phrase) words.set(`${forms.word}\n${forms.stem}`, forms);
    const isClosed = index % 2 === 1 && index < parts.length - 1;
    if (isClosed && phrase.length > 0 && phrases.length < MAX_PHRASES) phrases.push(phrase);
  });
  return { words: withPrefixes([...words.values()]), phrases };
}

function withPrefixes(words: Forms[]): QueryWord[] {
  let short = 0;
  return words
    .toReversed()
    .map((forms) => {
      const { length } = forms.word;
      const canBegin = length >= MIN_PREFIX || isWrittenWithoutSpaces(forms.word);
      return { ...forms, isPrefix: canBegin && (length > SHORT_PREFIX || ++short <= MAX_SHORT_PREFIXES) };
    })
    .toReversed();
}
