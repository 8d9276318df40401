import type { fieldMessages } from '../messages/field-messages.ts';

type Words = ReturnType<typeof fieldMessages>;

/** The server's usual reasons for refusing a field, and what the console says instead. */
const SENTENCES: readonly (readonly [RegExp, (words: Words, ...numbers: string[]) => string])[] = [
  [/^(?:is missing|must not be (?:null|empty)|should not be empty)$/, (words) => words.missing],
  [/^must not be only spaces$/, (words) => words.onlySpaces],
  [/^must be a text of (\d+) to (\d+) characters$/, (words, min, max) => words.lengthBetween(Number(min), Number(max))],
  [/^must be a text of at least (\d+) characters$/, (words, min) => words.lengthAtLeast(Number(min))],
  [/^must be a text of at most (\d+) characters$/, (words, max) => words.lengthAtMost(Number(max))],
  [/^must not be less than (-?[\d.]+)$/, (words, min) => words.atLeast(Number(min))],
  [/^must not be greater than (-?[\d.]+)$/, (words, max) => words.atMost(Number(max))],
  [/^must be an integer number$/, (words) => words.integer],
  [/^must be a number conforming to the specified constraints$/, (words) => words.number],
  [/^must be an email$/, (words) => words.email],
];

/** The sentence of a field whose value the server has refused. Other reasons are completed to a sentence. */
export function fieldMessage(reason: string, words: Words): string {
  for (const [pattern, sentence] of SENTENCES) {
    const found = pattern.exec(reason);
    if (found !== null) return sentence(words, ...found.slice(1));
  }
  return /^\p{Ll}/u.test(reason) ? words.other(reason) : reason;
}
