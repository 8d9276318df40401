import { firstOf, isAlphanumeric, isDigit, isLower, isSpace, isUpper, isWord } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';
import { passesMod97 } from './checksums.ts';

/** Lengths by country, from the IBAN registry. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FK FI FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG YE',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR HN IT MC MR SM',
    28: 'AL AZ BY CY DO GT HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)] as const)),
);
const LONGEST = 33;

const isLetter = (code: number): boolean => isUpper(code) || isLower(code);

/** IBANs of the countries in the registry, contiguous or in groups, with valid check digits. */
export const iban: Detector = {
  kind: 'iban',
  reach: 2 * LONGEST + 1,

  next: (text, from) => firstOf(text, from, isLetter, isWord),

  match(text, at, isEnd) {
    const undecided = isEnd ? NONE : UNDECIDED;
    const length = LENGTHS.get(text.slice(at, at + 2).toUpperCase());
    if (length === undefined) return text.length - at < 2 ? undecided : NONE;
    let found = '';
    let end = at;
    for (; found.length < length; end++) {
      work.read += 1;
      if (end >= text.length) return undecided;
      const code = text.charCodeAt(end);
      if (isAlphanumeric(code)) found += text[end];
      else if (!isSpace(code) || !isAlphanumeric(text.charCodeAt(end - 1))) return NONE;
      if (found.length > 2 && found.length <= 4 && !isDigit(found.charCodeAt(found.length - 1))) return NONE;
    }
    if (end >= text.length && !isEnd) return UNDECIDED;
    return !isWord(text.charCodeAt(end)) && passesMod97(found.toUpperCase()) ? end : NONE;
  },
};
