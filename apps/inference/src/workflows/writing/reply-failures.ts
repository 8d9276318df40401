import { Refusal } from '@parlance/decider';
import { Stopped } from '../live-replies.ts';

/** The maximum time for a reply. */
export const REPLY_MINUTES = 10;

export interface Failure {
  readonly code: string;
  readonly reason: string;
}

/** What the user is told about a reply that failed. The messages of unexpected errors may name hosts, so they are only logged. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return { code: error.code, reason: error.message };
  if (error instanceof Stopped) return { code: 'reply_timeout', reason: `The reply took longer than ${REPLY_MINUTES} minutes.` };
  if (isGenerationFailed(error)) return { code: error.code, reason: error.message };
  return { code: 'generation_failed', reason: 'The model gave no answer.' };
}

/** As thrown by a catalogue of providers: with a message for users. */
const isGenerationFailed = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && error.name === 'GenerationFailed' && 'code' in error && typeof error.code === 'string';
