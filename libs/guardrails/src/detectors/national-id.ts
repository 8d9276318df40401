import { firstOf, isAlphanumeric, isDigit, isWord } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';
import { NATIONAL_IDS, type NationalId } from './national-id-forms.ts';

const LONGEST = 24;
const HYPHEN = 45;

const isSeparator = (code: number): boolean => code === 32 || code === 45 || code === 46 || code === 47 || code === 43 || code === 0xa0;
const isLetter = (code: number): boolean => isAlphanumeric(code) && !isDigit(code);

/** National identification numbers with valid check digits. Forms that many other numbers have count only after a word that names them. */
export const nationalId: Detector = {
  kind: 'national_id',
  reach: LONGEST + 2,

  next(text, from) {
    let at = from;
    for (;;) {
      at = firstOf(text, at, isAlphanumeric, isWord);
      if (at >= text.length || !continuesNumber(text, at)) return at;
      at += 1;
    }
  },

  match(text, at, isEnd) {
    if (isRowOfDigits(text, at)) return NONE;
    const end = runOf(text, at);
    if (end === text.length && end - at <= LONGEST && !isEnd) return UNDECIDED;
    if (end - at < 8) return NONE;
    const run = text.slice(at, end + 1);
    const found = NATIONAL_IDS.find((form) => matches(form, run, text, at));
    return found ? at + found.form.exec(run)![0].length : NONE;
  },
};

/** Whether single digits begin here, as in `1 2 3`. No form has two groups of one digit. */
const isRowOfDigits = (text: string, at: number): boolean =>
  isSeparator(text.charCodeAt(at + 1)) && isDigit(text.charCodeAt(at + 2)) && isSeparator(text.charCodeAt(at + 3));

/** Letters, digits and single separators after the first digit. A letter may follow a hyphen, but no other separator. */
function runOf(text: string, at: number): number {
  const most = Math.min(text.length, at + LONGEST + 1);
  let end = at;
  let hasDigit = false;
  for (; end < most; end++) {
    const code = text.charCodeAt(end);
    const before = text.charCodeAt(end - 1);
    if (isDigit(code)) hasDigit = true;
    else if (isSeparator(code)) {
      if (!hasDigit || isSeparator(before)) break;
    } else if (!isLetter(code)) break;
    else if (end > at && isSeparator(before) && before !== HYPHEN) break;
  }
  work.read += end - at + 1;
  return end;
}

function matches({ form, isValid, after }: NationalId, run: string, text: string, at: number): boolean {
  const [found] = form.exec(run) ?? [];
  if (found === undefined) return false;
  if (after && !after.test(text.slice(Math.max(0, at - 40), at))) return false;
  return isValid(found.replace(/[^0-9A-Za-z+]/g, '').toUpperCase());
}

const continuesNumber = (text: string, at: number): boolean => /[.,/-]/.test(text[at - 1] ?? '') && isDigit(text.charCodeAt(at - 2));
