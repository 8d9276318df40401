import { Refusal } from '@parlance/decider';
import { Stopped } from '../live-replies.ts';

/** The maximum time for a reply. */
export const REPLY_MINUTES = 10;

export interface Failure {
  readonly code: string;
  readonly reason: string;
}

/** How a failed reply is reported to the user. Messages of unexpected errors may name hosts, so they are only logged. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return { code: error.code, reason: error.message };
  if (error instanceof Stopped) return { code: 'reply_timeout', reason: `The reply took longer than ${REPLY_MINUTES} minutes.` };
  if (isGenerationFailed(error)) return { code: error.code, reason: error.message };
  return { code: 'generation_failed', reason: 'The model returned no answer.' };
}

/** Errors of the model catalogue have a message for users. */
const isGenerationFailed = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && error.name === 'GenerationFailed' && 'code' in error && typeof error.code === 'string';
