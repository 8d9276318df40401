import { ParlanceError } from '@parlance/client';
import { currentSession, onSessionChange } from '../session/session-state.ts';
import type { StepUpDialog } from './step-up-dialog.tsx';

/** A request that waits until the user has proved the second factor or declines. */
export interface Question {
  readonly Dialog: typeof StepUpDialog;
  readonly answer: (isProved: boolean) => void;
}

let question: Question | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function show(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks the user for a second factor, once for all waiting requests. False if the user cancels. */
export function askForProof(): Promise<boolean> {
  return (asking ??= ask().finally(() => {
    asking = null;
    show(null);
  }));
}

async function ask(): Promise<boolean> {
  const { StepUpDialog: Dialog } = await import('./step-up-dialog.tsx').catch((cause: unknown) => {
    throw new ParlanceError('connection_failed', 'The dialog could not be loaded.', { cause });
  });
  return new Promise((answer) => show({ Dialog, answer }));
}

export const openQuestion = (): Question | null => question;

export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

onSessionChange(() => {
  if (currentSession() === 'signed-out') question?.answer(false);
});
