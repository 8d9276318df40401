import { work } from '../detector.ts';

/** Combining characters of one letter. More of them are taken for letters of their own. */
const MOST_MARKS = 8;
const MARK = /\p{M}/u;

/** Whether the code unit belongs to the letter before it: combining characters, and vowels and finals of Hangul. */
function isContinuing(code: number): boolean {
  if (code < 0x300) return false;
  if (code >= 0x1161 && code <= 0x11c2) return code <= 0x1175 || code >= 0x11a8;
  // Ideographs and syllables of Hangul.
  return (code < 0x3400 || code > 0xd7ff) && MARK.test(String.fromCharCode(code));
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** The end of the letter at a position, with its combining characters. */
export function letterEnd(text: string, at: number): number {
  let end = at + 1;
  if (isHighSurrogate(text.charCodeAt(at)) && end < text.length) end++;
  const last = Math.min(text.length, end + MOST_MARKS);
  while (end < last && isContinuing(text.charCodeAt(end))) end++;
  work.read += end - at + 1;
  return end;
}

/** A letter in lower case, composed (NFC). */
export function folded(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === 1 && lower < '\u0300' ? lower : lower.normalize('NFC');
}

const bases = new Uint16Array(0x1_0000);

/** The code unit with which a letter begins when it is decomposed: the same for `É`, `é` and `e`. */
export function baseOf(code: number): number {
  if (code < 0x80) return code >= 65 && code <= 90 ? code + 32 : code;
  return (bases[code] ||= String.fromCharCode(code).toLowerCase().normalize('NFD').charCodeAt(0));
}
