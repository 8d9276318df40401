import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields: typeof English = {
  missing: 'Este campo es obligatorio.',
  onlySpaces: 'Escriba algo más que espacios.',
  lengthBetween: (min, max) => `Escriba entre ${formatNumber(min)} y ${formatNumber(max)} caracteres.`,
  lengthAtLeast: (min) => plural(min, { one: 'Escriba al menos {n} carácter.', other: 'Escriba al menos {n} caracteres.' }),
  lengthAtMost: (max) => plural(max, { one: 'Escriba {n} carácter como máximo.', other: 'Escriba {n} caracteres como máximo.' }),
  atLeast: (min) => `Escriba ${formatNumber(min)} o más.`,
  atMost: (max) => `Escriba ${formatNumber(max)} o menos.`,
  integer: 'Escriba un número entero.',
  number: 'Escriba un número.',
  email: 'Escriba una dirección de correo electrónico.',
  // The reason is the server's English text.
  other: (reason) => `Valor no válido (${reason}).`,
};
