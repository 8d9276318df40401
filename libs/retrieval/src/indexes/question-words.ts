// Also runs in threads without being compiled: only erasable types.

/** English words that make a question of a query. In a small index they are rare, so they would decide which chunk is found. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  'am are can could did do does had has have how i is may me might must my our shall should was we were what when where which who whom whose why will would you your'.split(
    ' ',
  ),
);

/** The words without those of a question, unless there are no others. */
export function withoutQuestionWords(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => !QUESTION_WORDS.has(word));
  return others.length === 0 ? words : others;
}
