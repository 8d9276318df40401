import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields: typeof English = {
  missing: 'Dieses Feld ist erforderlich.',
  onlySpaces: 'Geben Sie nicht nur Leerzeichen ein.',
  lengthBetween: (min, max) => `Geben Sie ${formatNumber(min)} bis ${formatNumber(max)} Zeichen ein.`,
  lengthAtLeast: (min) => plural(min, { other: 'Geben Sie mindestens {n} Zeichen ein.' }),
  lengthAtMost: (max) => plural(max, { other: 'Geben Sie höchstens {n} Zeichen ein.' }),
  atLeast: (min) => `Geben Sie ${formatNumber(min)} oder mehr ein.`,
  atMost: (max) => `Geben Sie ${formatNumber(max)} oder weniger ein.`,
  integer: 'Geben Sie eine ganze Zahl ein.',
  number: 'Geben Sie eine Zahl ein.',
  email: 'Geben Sie eine E-Mail-Adresse ein.',
  // The reason is an English half-sentence of the server.
  other: (reason) => `Dieser Wert ist nicht zulässig (${reason}).`,
};
