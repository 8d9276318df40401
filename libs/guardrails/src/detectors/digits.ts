import { codeBefore, type CodeSet, firstOf, isDigit, isSpace, isWord } from '../characters.ts';
import { work } from '../detector.ts';

/** Digits in groups with one separator between them, as far as they were read. */
export interface Groups {
  readonly digits: string;
  /** Ends of the groups in the text, with the number of digits up to there. */
  readonly ends: readonly { readonly at: number; readonly digits: number }[];
  /** Whether more text could continue the groups. */
  readonly isOpen: boolean;
}

/** Reads at most `most` digits. The same separator, a space or a hyphen, is between all groups. */
export function groupsAt(text: string, from: number, most: number): Groups {
  const ends: { at: number; digits: number }[] = [];
  let separator = Number.NaN;
  let digits = '';
  let at = from;
  for (;;) {
    const begin = at;
    while (at < text.length && digits.length < most && isDigit(text.charCodeAt(at))) digits += text[at++];
    if (at > begin) ends.push({ at, digits: digits.length });
    if (digits.length >= most || at >= text.length) break;
    const code = text.charCodeAt(at);
    const isSeparator = at > begin && (isSpace(code) || code === 45) && (Number.isNaN(separator) || separator === code);
    if (!isSeparator) break;
    separator = code;
    if (at + 1 < text.length && !isDigit(text.charCodeAt(at + 1))) break;
    at += 1;
  }
  work.read += at - from + 1;
  return { digits, ends, isOpen: at >= text.length };
}

/** The first position from `from` on where a number begins that is not part of a word, a decimal or a longer number. */
export function firstNumber(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = firstOf(text, at, isDigit, isWord);
    if (at >= text.length || !continuesNumber(text, at)) return at;
    at += 1;
  }
}

const isJoint: CodeSet = (code) => code === 45 || code === 46 || code === 44;

const continuesNumber = (text: string, at: number): boolean => isJoint(codeBefore(text, at)) && isDigit(text.charCodeAt(at - 2));
