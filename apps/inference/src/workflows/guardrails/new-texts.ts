import { textsOfTerms } from '../client-terms.ts';
import type { PromptOfBot, Question } from '../writing/reply-prompt.ts';

/** The new texts of a message: its own, those that a program has sent with it, and those of its files with their names. */
export function newTexts({ text, terms }: Question, { turns }: PromptOfBot): readonly string[] {
  const files = turns.findLast(({ role }) => role === 'user')?.files ?? [];
  return [text, ...(terms ? textsOfTerms(terms) : []), ...files.flatMap(({ name, text: its }) => [name ?? [], its ?? []].flat())];
}
