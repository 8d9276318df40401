import { ParlanceError } from '@parlance/client';
import { formatTime } from '../messages/format.ts';
import { chosenTranslation, messages } from '../messages/index.ts';

const NO_ANSWER: ReadonlySet<string> = new Set(['connection_failed', 'timed_out']);

/** Errors of the API are full sentences that say what to do next. Without an answer, the client's text would only name the request. */
export function errorText(error: unknown): string {
  if (!(error instanceof ParlanceError)) return error instanceof Error ? error.message : String(error);
  const { common } = messages();
  if (error.status === 0 && NO_ANSWER.has(error.code)) return common.noAnswer;
  if (error.code === 'step_up_required') return common.stepUpNeeded;
  if (namesReset(error)) return common.budgetExceeded(error.budget, formatTime(error.resetsAt));
  return sentenceFor(error.code, error.message);
}

/** The sentence for the code of an error in the chosen language. The server's text if it is English, or if the language has none. */
export function sentenceFor(code: string, english: string): string {
  const errors = chosenTranslation()?.errors;
  if (errors === undefined || !Object.hasOwn(errors, code)) return english;
  if (code === 'group_required') {
    const group = /the group (.+)\.$/.exec(english)?.[1];
    return group === undefined ? english : errors.group_required(group);
  }
  const sentence = errors[code as Exclude<keyof typeof errors, 'group_required'>];
  if (typeof sentence === 'string') return sentence;
  // The only value is a limit, which is the first number in the server's text.
  const limit = /\d+/.exec(english)?.[0];
  return limit === undefined ? english : sentence(Number(limit));
}

/** Whether the text of an error says when the request can be repeated. */
export const namesReset = (
  error: unknown,
): error is ParlanceError & { readonly budget: NonNullable<ParlanceError['budget']>; readonly resetsAt: number } =>
  error instanceof ParlanceError && error.budget !== null && error.resetsAt !== null;
