import { isTurnOver, nextTurn } from '@parlance/event-loop';

/** Characters of a query. */
export const MAX_SEARCH = 200;
/** Words and phrases of a query that are used. */
export const MAX_WORDS = 10;

/** A pattern for a word or a phrase in folded texts. */
export type Word = RegExp;

/** Part of a text around its first match, and the positions of the words in it, in UTF-16 code units. */
export interface Excerpt {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly length: number }[];
}

/** Characters that are folded at once, which takes a few milliseconds at most. */
const PIECE = 16 * 1024;
/** Characters by which pieces overlap: more than the length of a match. */
const OVERLAP = 2 * MAX_SEARCH;
const BEFORE = 60;
const AFTER = MAX_SEARCH + 40;

const ASCII = /^[\0-\x7f]*$/; // eslint-disable-line no-control-regex
const ACCENTS = /[\u0300-\u036f]+/g;
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ς: 'σ' };
const LETTERS_WITHOUT_MARKS = /[ßæœøłđðþıς]/g;

/** Lower case without accents. Folding a text gives the same result as folding its parts and joining them. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(LETTERS_WITHOUT_MARKS, (letter) => LETTERS[letter] ?? letter);
}

/** The words of a query. Quoted words are a phrase. Punctuation around a word is ignored. */
export function wordsOf(query: string): readonly Word[] {
  const words: Word[] = [];
  for (const [, phrase, word] of query.slice(0, MAX_SEARCH).matchAll(/"([^"]+)"|([^\s"]+)/gu)) {
    const parts = (phrase ?? word!)
      .replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
      .split(/\s+/u)
      .filter(Boolean);
    if (parts.length > 0) words.push(new RegExp(parts.map((part) => literally(folded(part))).join('\\s+'), 'g'));
  }
  return words.slice(0, MAX_WORDS);
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a short text contains all words. */
export const hasAll = (text: string, words: readonly Word[]): boolean => {
  const its = folded(text);
  return words.every((word) => its.search(word) >= 0);
};

/** The part around the first match, if the text contains all words. Otherwise null. Lets other work run in between. */
export async function excerptOf(text: string, words: readonly Word[]): Promise<Excerpt | null> {
  const missing = new Set(words);
  let found: { start: number; index: number } | null = null;
  for (let start = 0; start < text.length && missing.size > 0; start += PIECE) {
    if (start > 0 && isTurnOver()) await nextTurn();
    const its = folded(text.slice(start, start + PIECE + OVERLAP));
    for (const word of missing) {
      const index = its.search(word);
      if (index < 0) continue;
      missing.delete(word);
      found ??= { start, index };
    }
  }
  if (missing.size > 0 || !found) return null;
  return around(text, found.start + unfolded(text.slice(found.start, found.start + PIECE + OVERLAP), found.index), words);
}

/** Maps an index in the folded text to an index in the text. */
function unfolded(text: string, index: number): number {
  if (ASCII.test(text)) return index;
  let [at, length] = [0, 0];
  for (const letter of text) {
    length += folded(letter).length;
    if (length > index) return at;
    at += letter.length;
  }
  return at;
}

function around(text: string, at: number, words: readonly Word[]): Excerpt {
  const end = betweenLetters(text, at + AFTER);
  let begin = betweenLetters(text, at - BEFORE);
  // Begins with a whole word, if one begins before the match.
  const blank = begin === 0 ? -1 : text.slice(begin, at).search(/\s/u);
  if (blank >= 0) begin += blank + 1;
  const part = text.slice(begin, end);
  return { text: part, matches: matchesIn(part, words) };
}

function betweenLetters(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  return /[\uDC00-\uDFFF]/.test(text[at]!) ? at - 1 : at;
}

function matchesIn(text: string, words: readonly Word[]): Excerpt['matches'] {
  /** For each unit of the folded text, the index of its letter in the text. */
  const positions: number[] = [];
  let its = '';
  let at = 0;
  for (const letter of text) {
    const fold = folded(letter);
    for (let unit = 0; unit < fold.length; unit++) positions.push(at);
    its += fold;
    at += letter.length;
  }
  positions.push(at);
  const found = words.flatMap((word) =>
    [...its.matchAll(word)].map(({ index, 0: match }) => ({ start: positions[index]!, end: positions[index + match.length]! })),
  );
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged.map(({ start, end }) => ({ start, length: end - start }));
}
