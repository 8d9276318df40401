import { work } from './detector.ts';

/** A set of code units. */
export type CodeSet = (code: number) => boolean;

/** A set of ASCII characters. `others`: whether it has all code units from U+00C0 on that are letters of some script. */
export function codeSet(characters: string, { others = false } = {}): CodeSet {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return others ? (code) => (code < 128 ? table[code] === 1 : isOtherLetter(code)) : (code) => code < 128 && table[code] === 1;
}

export const DIGITS = '0123456789';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const ALPHANUMERIC = DIGITS + LOWER + UPPER;

/** Letters outside of ASCII, without general punctuation and symbols. Surrogates do not count. */
export const isOtherLetter = (code: number): boolean =>
  (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7) ||
  (code >= 0x2c00 && code < 0x3000) ||
  (code > 0x3004 && code < 0xd800);

export const isDigit: CodeSet = (code) => code >= 48 && code <= 57;
export const isUpper: CodeSet = (code) => code >= 65 && code <= 90;
export const isLower: CodeSet = (code) => code >= 97 && code <= 122;
export const isAlphanumeric: CodeSet = (code) => isDigit(code) || isUpper(code) || isLower(code);
/** Letters and digits of any script, and `_`. */
export const isWord: CodeSet = (code) => isAlphanumeric(code) || code === 95 || isOtherLetter(code);
/** Spaces within a line, such as those between groups of digits. */
export const isSpace: CodeSet = (code) => code === 32 || code === 0xa0 || code === 0x2009 || code === 0x202f;

/** The end of the characters of the set from `at` on, at most `most` of them. */
export function runEnd(text: string, at: number, set: CodeSet, most: number): number {
  const last = Math.min(text.length, at + most);
  let end = at;
  while (end < last && set(text.charCodeAt(end))) end++;
  work.read += end - at + 1;
  return end;
}

/** The first position from `from` on whose character is in the set and whose previous character is not in `before`. */
export function firstOf(text: string, from: number, set: CodeSet, before: CodeSet): number {
  let at = from;
  let isBegun = at > 0 && before(text.charCodeAt(at - 1));
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isBegun && set(code)) break;
    isBegun = before(code);
  }
  work.read += at - from + 1;
  return at;
}

/** The code unit before a position; NaN at the beginning of the text. */
export const codeBefore = (text: string, at: number): number => text.charCodeAt(at - 1);
