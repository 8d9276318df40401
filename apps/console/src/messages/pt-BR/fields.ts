import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

export const fields: typeof English = {
  missing: 'Este campo é obrigatório.',
  onlySpaces: 'Informe algo além de espaços.',
  lengthBetween: (min, max) => `Informe de ${formatNumber(min)} a ${formatNumber(max)} caracteres.`,
  lengthAtLeast: (min) => plural(min, { one: 'Informe pelo menos {n} caractere.', other: 'Informe pelo menos {n} caracteres.' }),
  lengthAtMost: (max) => plural(max, { one: 'Informe no máximo {n} caractere.', other: 'Informe no máximo {n} caracteres.' }),
  atLeast: (min) => `Informe ${formatNumber(min)} ou mais.`,
  atMost: (max) => `Informe ${formatNumber(max)} ou menos.`,
  integer: 'Informe um número inteiro.',
  number: 'Informe um número.',
  email: 'Informe um endereço de e-mail.',
  other: (reason) => `Este valor não foi aceito: ${reason}.`,
};
