import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js/max';
import { codeBefore, codeSet, DIGITS, firstOf, isDigit, isWord } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';

/** The copy that class-validator has loaded. An import would load a second one, of half a megabyte. */
const { isSupportedCountry, parsePhoneNumberFromString } = createRequire(import.meta.url)(
  'libphonenumber-js/max',
) as typeof import('libphonenumber-js/max');

const LONGEST = 32;
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 17;
/** How many groups at the end of a number may belong to something else, such as a time. */
const MOST_DROPPED = 3;
const MOST_GROUPS = 8;

const isBegin = codeSet(`${DIGITS}+(`);
const isSeparator = codeSet(' ./()-');
const isSpaced = (code: number): boolean => isSeparator(code) || code === 0xa0 || code === 0x2011 || code === 0x2013 || code === 0x202f;
const DATE = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./]) ?\d{1,2}\2 ?\d{2,4})(?!\d)/;
const VERSION = /^\d{1,3}(?:\.\d{1,3}){2,3}$/;
const NORTH_AMERICAN = /^(?:1[ .-])?\(?\d{3}\)?[ .-]{0,2}\d{3}[ .-]\d{4}$/;
const CURRENCY_BEFORE = /(?:[$€£¥#]|\b(?:EUR|USD|GBP|CHF)) ?$/;

/** Phone numbers with a country code, and national numbers of the regions, if they are valid there (metadata of libphonenumber). */
export function phone(regions: readonly string[] = []): Detector {
  return {
    kind: 'phone',
    reach: LONGEST + 2,

    next(text, from) {
      let at = from;
      for (;;) {
        at = firstOf(text, at, isBegin, (code) => isWord(code) || code === 43);
        if (at >= text.length || !continuesNumber(text, at)) return at;
        at += 1;
      }
    },

    match(text, at, isEnd) {
      const ends = endsOf(text, at);
      if (ends.isOpen && !isEnd) return UNDECIDED;
      const written = text.slice(at, ends.at.at(-1) ?? at);
      const isInternational = /^\(?(?:\+|00)/.test(written);
      if (!isInternational && (regions.length === 0 || isOther(written, text, at))) return NONE;
      const first = Math.max(0, ends.at.length - 1 - MOST_DROPPED);
      for (let index = ends.at.length - 1; index >= first; index--) {
        const number = text.slice(at, ends.at[index]);
        if (isGrouped(number, index + 1) && isPhone(number, isInternational, regions)) return ends.at[index]!;
      }
      return NONE;
    },
  };
}

/** Whether a region may be used for national numbers. */
export const isPhoneRegion = (region: string): boolean => isSupportedCountry(region);

/** The ends of the groups of digits. */
function endsOf(text: string, from: number): { readonly at: readonly number[]; readonly isOpen: boolean } {
  const at: number[] = [];
  const last = Math.min(text.length, from + LONGEST);
  let end = from;
  let separators = 0;
  for (; end < last; end++) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) separators = 0;
    else if (isSpaced(code) && separators < 2) {
      if (isDigit(codeBefore(text, end)) && end > from) at.push(end);
      separators += 1;
    } else if (code !== 43 || end !== from) break;
  }
  work.read += end - from + 1;
  const isCut = end === from + LONGEST;
  // Before a colon and a digit, the last group is the hour of a time.
  const isColon = text[end] === ':';
  const isTime = isColon && isDigit(text.charCodeAt(end + 1));
  if (end > from && isDigit(codeBefore(text, end)) && !isWord(text.charCodeAt(end)) && !isTime) at.push(end);
  return { at, isOpen: !isCut && end + (isColon ? 1 : 0) >= text.length };
}

/** Whether the digits are a date, a version, an amount or a part of a longer number. */
function isOther(written: string, text: string, at: number): boolean {
  return DATE.test(written) || VERSION.test(written) || CURRENCY_BEFORE.test(text.slice(Math.max(0, at - 4), at));
}

/** Rows of single digits are no phone numbers. */
const isGrouped = (written: string, groups: number): boolean =>
  groups <= MOST_GROUPS && written.replace(/\D/g, '').length >= 2 * groups - 2;

function isPhone(written: string, isInternational: boolean, regions: readonly string[]): boolean {
  const digits = written.replace(/\D/g, '').length;
  if (digits < FEWEST_DIGITS || digits > MOST_DIGITS) return false;
  // `(0)` after a country code is dialled only within the country.
  const plain = isInternational ? written.replace(/^\(?00/, '+').replace(/\(0\)/, ' ') : written;
  if (isInternational) return isValid(plain);
  // A number without separators and without a leading zero is more often something else.
  const isMarked = /\D/.test(written) || written.startsWith('0');
  return isMarked && regions.some((region) => isValid(plain, region as CountryCode));
}

/** A national number counts only with the prefix that is dialled within the country. */
function isValid(written: string, region?: CountryCode): boolean {
  work.parsed += 1;
  const number = parsePhoneNumberFromString(written, { ...(region && { defaultCountry: region }), extract: false });
  if (!number?.isValid()) return false;
  if (region === undefined) return true;
  if (number.countryCallingCode === '1' && !NORTH_AMERICAN.test(written)) return false;
  return number.formatNational().replace(/\D/g, '') === written.replace(/\D/g, '');
}

/** Whether the position is in a decimal, a date or a row of numbers. A `+` or a parenthesis may begin a phone number in such a row. */
function continuesNumber(text: string, at: number): boolean {
  if (!isDigit(text.charCodeAt(at - 2))) return false;
  return /[.,/:-]/.test(text[at - 1]!) || (isSpaced(codeBefore(text, at)) && isDigit(text.charCodeAt(at)));
}
