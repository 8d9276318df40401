import { codeSet, DIGITS, runEnd, UPPER } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';

const MOST_LETTERS = 8;
const MOST_DIGITS = 9;

const isUpper = codeSet(UPPER);
const isDigit = codeSet(DIGITS);

/** Code units of the longest placeholder. */
export const LONGEST_PLACEHOLDER = MOST_LETTERS + MOST_DIGITS + 3;

/** Text that looks like a placeholder of a mask, such as `[EMAIL_1]`. */
export const placeholder: Detector = {
  kind: 'placeholder',
  reach: LONGEST_PLACEHOLDER + 1,

  next(text, from) {
    const found = text.indexOf('[', from);
    work.read += (found < 0 ? text.length : found) - from + 1;
    return found < 0 ? text.length : found;
  },

  match(text, at, isEnd) {
    const letters = runEnd(text, at + 1, isUpper, MOST_LETTERS);
    if (letters === at + 1 && letters < text.length) return NONE;
    if (letters < text.length && text[letters] !== '_') return NONE;
    const digits = letters < text.length ? runEnd(text, letters + 1, isDigit, MOST_DIGITS) : text.length;
    if (digits >= text.length) return isEnd ? NONE : UNDECIDED;
    return digits > letters + 1 && text[digits] === ']' ? digits + 1 : NONE;
  },
};
