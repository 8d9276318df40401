/**
 * English words that a question has and an answer need not have. They are rare in the texts of a manual, so rarity alone would let them decide
 * which sentence is quoted.
 */
const WORDS =
  'a about am an and any are as at be been but by can could did do does doing for from get had has have having her his how i if in into is it its ' +
  'let may me might must my need of on or our shall she should so that the their them then there these they this those to want was we were what ' +
  'when where which while who whom whose why will with would you your';

const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);
