import { isDigit, isWord, runEnd } from '../characters.ts';
import { type Detector, NONE, UNDECIDED } from '../detector.ts';
import { passesLuhn } from './checksums.ts';
import { firstNumber, groupsAt } from './digits.ts';

const MOST_DIGITS = 19;
const SHORTEST_GROUP = 4;

/** Ranges of the first six digits, with the lengths that their issuers use. */
const ISSUERS: readonly (readonly [first: number, last: number, lengths: readonly number[]])[] = [
  [400000, 499999, [13, 16, 19]], // Visa
  [510000, 559999, [16]], // Mastercard
  [222100, 272099, [16]],
  [340000, 349999, [15]], // American Express
  [370000, 379999, [15]],
  [601100, 601199, [16, 17, 18, 19]], // Discover
  [644000, 659999, [16, 17, 18, 19]],
  [300000, 305999, [14, 16, 17, 18, 19]], // Diners Club
  [309500, 309599, [14, 16, 17, 18, 19]],
  [360000, 369999, [14, 16, 17, 18, 19]],
  [380000, 399999, [14, 16, 17, 18, 19]],
  [352800, 358999, [16, 17, 18, 19]], // JCB
  [620000, 629999, [16, 17, 18, 19]], // UnionPay
  [810000, 817199, [16]],
  [220000, 220499, [16, 17, 18, 19]], // Mir
  [500000, 509999, [16, 17, 18, 19]], // Maestro, Elo, RuPay
  [560000, 589999, [16, 17, 18, 19]],
  [630400, 630499, [16, 17, 18, 19]],
  [670000, 679999, [16, 17, 18, 19]],
  [606985, 608500, [16]], // RuPay, Hipercard
];

/** Groups in which card numbers are written. */
const GROUPINGS: ReadonlySet<string> = new Set([
  '4 4 4 4',
  '4 6 5',
  '4 6 4',
  '4 4 4 4 3',
  '4 4 4 4 2',
  '4 4 4 4 1',
  '4 3 3 3',
  '8 8',
  '6 13',
]);

/** Numbers of payment cards: the range of an issuer, one of its lengths, and the check digit (Luhn). */
export const paymentCard: Detector = {
  kind: 'payment_card',
  reach: 2 * MOST_DIGITS + 3,

  next: firstNumber,

  match(text, at, isEnd) {
    // All numbers begin with a group of four digits at least.
    if (runEnd(text, at, isDigit, SHORTEST_GROUP) - at < Math.min(SHORTEST_GROUP, text.length - at)) return NONE;
    const { digits, ends, isOpen } = groupsAt(text, at, MOST_DIGITS + 1);
    if (isOpen && !isEnd && digits.length <= MOST_DIGITS) return UNDECIDED;
    for (let count = ends.length; count > 0; count--) {
      const end = ends[count - 1]!;
      if (end.digits > MOST_DIGITS || isWord(text.charCodeAt(end.at))) continue;
      if (isGrouped(ends.slice(0, count)) && isCard(digits.slice(0, end.digits))) return end.at;
    }
    return NONE;
  },
};

function isGrouped(ends: readonly { readonly digits: number }[]): boolean {
  if (ends.length === 1) return true;
  return GROUPINGS.has(ends.map(({ digits }, index) => digits - (ends[index - 1]?.digits ?? 0)).join(' '));
}

/** Whether an issuer has cards with this number. */
export function isCard(digits: string): boolean {
  const first = Number(digits.slice(0, 6));
  const issuer = ISSUERS.find(([low, high]) => low <= first && first <= high);
  return issuer !== undefined && issuer[2].includes(digits.length) && passesLuhn(digits);
}
