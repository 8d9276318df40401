import { ParlanceError } from '@parlance/client';
import { formatTime } from '../messages/format.ts';
import { messages } from '../messages/index.ts';

const NO_ANSWER: ReadonlySet<string> = new Set(['connection_failed', 'timed_out']);

/** Errors of the API are full sentences that say what to do next. Without an answer, the client's text would only name the request. */
export function errorText(error: unknown): string {
  if (!(error instanceof ParlanceError)) return error instanceof Error ? error.message : String(error);
  const { common } = messages();
  if (NO_ANSWER.has(error.code)) return common.noAnswer;
  if (error.code === 'step_up_required') return common.stepUpNeeded;
  if (namesReset(error)) return common.budgetExceeded(error.budget, formatTime(error.resetsAt));
  return error.message;
}

/** Whether the text of an error says when the request can be repeated. */
export const namesReset = (
  error: unknown,
): error is ParlanceError & { readonly budget: NonNullable<ParlanceError['budget']>; readonly resetsAt: number } =>
  error instanceof ParlanceError && error.budget !== null && error.resetsAt !== null;
