import { refuse, type Sentence } from '@parlance/decider';

/** Levels of objects and arrays in a body. */
export const DEEPEST = 64;
/** Values in a body: each member of an object and each item of an array. The largest known body is a list of 10,000 files with a few fields each. */
export const MOST_VALUES = 50_000;
/** Characters in the name of a member. */
export const LONGEST_NAME = 1_000;
/** Characters in a number. Doubles need 25. */
export const LONGEST_NUMBER = 1_000;

export const malformed = (detail: Sentence): Error => refuse('invalid', 'malformed_body', detail);

export const notJson = () => malformed('The body is not JSON.');
export const notUtf8 = () => malformed('The body is not UTF-8.');
export const tooDeep = () => malformed(`The body is nested deeper than ${DEEPEST} levels.`);
export const tooManyValues = () => malformed(`The body has more than ${MOST_VALUES} values.`);
export const outOfRange = () => malformed('The body has a number out of range.');
export const sameNameTwice = () => malformed('The body has the same name twice in one object.');

/** Throws `malformed_body` for a string that parsers could read differently. */
export function checkText(text: string): void {
  if (text.includes('\0')) throw malformed('The body has a NUL in a text.');
  if (!text.isWellFormed()) throw malformed('The body has half of a surrogate pair.');
}

export function checkName(name: string): void {
  if (name === '__proto__' || name === 'constructor') throw malformed(`The body must not have the name ${name}.`);
  if (name.length > LONGEST_NAME) throw malformed(`The body has a name of more than ${LONGEST_NAME} characters.`);
}
