import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields = {
  missing: 'This field is required.',
  onlySpaces: 'Enter more than spaces.',
  lengthBetween: (min: number, max: number) => `Enter ${formatNumber(min)} to ${formatNumber(max)} characters.`,
  lengthAtLeast: (min: number) => plural(min, { one: 'Enter at least {n} character.', other: 'Enter at least {n} characters.' }),
  lengthAtMost: (max: number) => plural(max, { one: 'Enter at most {n} character.', other: 'Enter at most {n} characters.' }),
  atLeast: (min: number) => `Enter ${formatNumber(min)} or more.`,
  atMost: (max: number) => `Enter ${formatNumber(max)} or less.`,
  integer: 'Enter a whole number.',
  number: 'Enter a number.',
  email: 'Enter an e-mail address.',
  other: (reason: string) => `This value ${reason}.`,
};
