import { isDate, passesLuhn, passesMod11And10, passesVerhoeff, remainder, weighted } from './checksums.ts';

/** One national form of an ID. */
export interface NationalId {
  readonly country: string;
  /** Matches at the beginning of a text of at most 26 code units, without unlimited repetition. */
  readonly form: RegExp;
  /** `id`: letters in upper case and digits, without separators except `+`. */
  readonly isValid: (id: string) => boolean;
  /** Matches the text before the ID. Set if the form alone is too common. */
  readonly after?: RegExp;
}

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const HETU_LETTERS = '0123456789ABCDEFHJKLMNPRSTUVWXY';
/** Values of the characters of a codice fiscale in odd places. */
const ODD_PLACES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

const number = (id: string, from: number, to: number): number => Number(id.slice(from, to));
const isSameDigit = (id: string): boolean => /^(\d)\1*$/.test(id);
const datePasses = (id: string, [year, month, day]: readonly [number, number, number]): boolean =>
  isDate(number(id, year, year + 2), number(id, month, month + 2), number(id, day, day + 2));

export const NATIONAL_IDS: readonly NationalId[] = [
  {
    country: 'CN',
    form: /^\d{17}[\dXx](?!\w)/,
    isValid: (id) =>
      isDate(number(id, 6, 10), number(id, 10, 12), number(id, 12, 14)) &&
      '10X98765432'[weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === id[17],
  },
  {
    country: 'IT',
    form: /^[A-Za-z]{6}[\dLMNP-Vlmnp-v]{2}[ABCDEHLMPRSTabcdehlmprst][\dLMNP-Vlmnp-v]{2}[A-Za-z][\dLMNP-Vlmnp-v]{3}[A-Za-z](?!\w)/,
    isValid: (id) => codiceFiscale(id.slice(0, 15)) === id[15],
  },
  {
    country: 'FR',
    form: /^[12][ .]?\d{2}[ .]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .]?(?:\d{2}|2[ABab])[ .]?\d{3}[ .]?\d{3}[ .]?\d{2}(?!\w)/,
    isValid: (id) => remainder(id.slice(0, 13).replace('2A', '19').replace('2B', '18'), 97) === 97 - number(id, 13, 15),
  },
  {
    country: 'CH',
    form: /^756\.?\d{4}\.?\d{4}\.?\d{2}(?!\w)/,
    isValid: (id) => weighted(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  },
  {
    country: 'BE',
    form: /^\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[-. ]?\d{2}(?!\w)/,
    isValid: (id) =>
      datePasses(id, [0, 2, 4]) && [id.slice(0, 9), `2${id.slice(0, 9)}`].some((part) => 97 - remainder(part, 97) === number(id, 9, 11)),
  },
  {
    country: 'NO',
    form: /^\d{6} ?\d{5}(?!\w)/,
    isValid: (id) =>
      datePasses(id, [4, 2, 0]) &&
      weighted(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
      weighted(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  {
    country: 'PL',
    form: /^\d{11}(?!\w)/,
    isValid: (id) =>
      isDate(number(id, 0, 2), number(id, 2, 4) % 20, number(id, 4, 6)) && weighted(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  {
    country: 'DE',
    form: /^[1-9]\d ?\d{3} ?\d{3} ?\d{3}(?!\w)/,
    // One digit occurs two or three times among the first ten, and the others at most once.
    isValid: (id) => [9, 8].includes(new Set(id.slice(0, 10)).size) && passesMod11And10(id),
  },
  {
    country: 'BR',
    form: /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?!\w)/,
    isValid: (id) =>
      !isSameDigit(id) &&
      cpfDigit(weighted(id, [10, 9, 8, 7, 6, 5, 4, 3, 2])) === Number(id[9]) &&
      cpfDigit(weighted(id, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) === Number(id[10]),
  },
  {
    country: 'FI',
    form: /^\d{6}[-+A-FU-Ya-fu-y]\d{3}[\dA-Ya-y](?!\w)/,
    isValid: (id) => {
      const digits = id
        .replace(/^(\d{6})[^\d](?=\d{3})/, '$1')
        .replace(/\D/g, '')
        .slice(0, 9);
      return datePasses(id, [4, 2, 0]) && HETU_LETTERS[Number(digits.slice(0, 9)) % 31] === id.at(-1);
    },
  },
  { country: 'SE', form: /^(?:19|20)?\d{6}[-+]\d{4}(?!\w)/, isValid: (id) => personnummer(id.replace('+', '').slice(-10)) },
  { country: 'ES', form: /^\d{8}-?[A-Za-z](?!\w)/, isValid: (id) => DNI_LETTERS[number(id, 0, 8) % 23] === id[8] },
  {
    country: 'ES',
    form: /^[XYZxyz]-?\d{7}-?[A-Za-z](?!\w)/,
    isValid: (id) => DNI_LETTERS[Number(`${'XYZ'.indexOf(id[0]!)}${id.slice(1, 8)}`) % 23] === id[8],
  },
  {
    country: 'IN',
    form: /^[2-9]\d{3} \d{4} \d{4}(?!\w)/,
    isValid: (id) => passesVerhoeff(id),
  },
  { country: 'IN', form: /^[2-9]\d{11}(?!\w)/, after: /\b(?:aadhaar|uidai|uid)\b.{0,24}$/i, isValid: (id) => passesVerhoeff(id) },
  { country: 'GB', form: /^\d{3} \d{3} \d{4}(?!\w)/, isValid: (id) => nhsNumber(id) },
  { country: 'GB', form: /^\d{10}(?!\w)/, after: /\bNHS\b.{0,24}$/i, isValid: (id) => nhsNumber(id) },
  { country: 'CA', form: /^[1-79]\d{2}[ -]\d{3}[ -]\d{3}(?!\w)/, isValid: (id) => passesLuhn(id) },
  { country: 'CA', form: /^[1-79]\d{8}(?!\w)/, after: /\b(?:SIN|NAS|social insurance)\b.{0,24}$/i, isValid: (id) => passesLuhn(id) },
  {
    country: 'AT',
    form: /^[1-9]\d{3} ?\d{6}(?!\w)/,
    after: /\b(?:SV|SVNR|SV-Nr|Sozialversicherung\w{0,12}|Versicherungsnummer)\b.{0,16}$/i,
    isValid: (id) => datePasses(id, [8, 6, 4]) && weighted(id, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(id[3]),
  },
  {
    country: 'NL',
    form: /^\d{4}[. ]?\d{2}[. ]?\d{3}(?!\w)/,
    after: /\b(?:BSN|burgerservicenummer|sofinummer)\b.{0,16}$/i,
    isValid: (id) => !isSameDigit(id) && weighted(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  {
    country: 'PT',
    form: /^[1-35]\d{2} ?\d{3} ?\d{3}(?!\w)/,
    after: /\b(?:NIF|contribuinte)\b.{0,16}$/i,
    isValid: (id) => ((11 - (weighted(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === Number(id[8]),
  },
  {
    country: 'AU',
    form: /^\d{3} ?\d{3} ?\d{3}(?!\w)/,
    after: /\b(?:TFN|tax file n\w{1,6})\b.{0,16}$/i,
    isValid: (id) => weighted(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  },
  // Without a check digit, but its groups are unusual.
  { country: 'US', form: /^(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\w)/, isValid: () => true },
];

function codiceFiscale(first: string): string {
  const sum = Array.from(first).reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (index % 2 === 0 ? ODD_PLACES[value]! : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26));
}

const cpfDigit = (sum: number): number => ((sum * 10) % 11) % 10;

const nhsNumber = (id: string): boolean => !isSameDigit(id) && weighted(id, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

/** Coordination numbers have 60 added to the day. */
function personnummer(id: string): boolean {
  const day = number(id, 4, 6);
  return isDate(number(id, 0, 2), number(id, 2, 4), day > 60 ? day - 60 : day) && passesLuhn(id);
}
