import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields: typeof English = {
  missing: 'Ce champ est obligatoire.',
  onlySpaces: 'Saisissez autre chose que des espaces.',
  lengthBetween: (min, max) => `Saisissez entre ${formatNumber(min)} et ${formatNumber(max)} caractères.`,
  lengthAtLeast: (min) => plural(min, { one: 'Saisissez au moins {n} caractère.', other: 'Saisissez au moins {n} caractères.' }),
  lengthAtMost: (max) => plural(max, { one: 'Saisissez au plus {n} caractère.', other: 'Saisissez au plus {n} caractères.' }),
  atLeast: (min) => `Saisissez une valeur d’au moins ${formatNumber(min)}.`,
  atMost: (max) => `Saisissez une valeur d’au plus ${formatNumber(max)}.`,
  integer: 'Saisissez un nombre entier.',
  number: 'Saisissez un nombre.',
  email: 'Saisissez une adresse e-mail.',
  // The reason comes from the server, in English.
  other: (reason) => `Valeur refusée par le serveur : ${reason}.`,
};
