const digitsOf = (text: string): number[] => Array.from(text, Number);

/** The weighted sum of the digits. */
export const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(text[index]), 0);

/** Luhn: every second digit from the right is doubled. */
export function passesLuhn(text: string): boolean {
  const sum = digitsOf(text)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return sum % 10 === 0;
}

/** The remainder of a long decimal number. */
export const remainder = (text: string, by: number): number => digitsOf(text).reduce((rest, digit) => (rest * 10 + digit) % by, 0);

/** ISO 7064 MOD 97-10 over letters and digits, with the first four characters moved to the end, as in an IBAN. */
export const passesMod97 = (iban: string): boolean =>
  remainder(Array.from(iban.slice(4) + iban.slice(0, 4), (character) => String(Number.parseInt(character, 36))).join(''), 97) === 1;

/** ISO 7064 MOD 11,10. The last digit is the check digit. */
export function passesMod11And10(text: string): boolean {
  const product = digitsOf(text.slice(0, -1)).reduce((rest, digit) => (((rest + digit) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === Number(text.at(-1));
}

const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTED = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870', '4286573901', '2793806415', '7046913258'];

/** Verhoeff, with the check digit at the end. */
export const passesVerhoeff = (text: string): boolean =>
  digitsOf(text)
    .toReversed()
    .reduce((rest, digit, index) => Number(DIHEDRAL[rest]![Number(PERMUTED[index % 8]![digit])]), 0) === 0;

/** Whether a date exists. A year of two digits may belong to any century. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year < 100 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}
