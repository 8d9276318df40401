import { useSyncExternalStore } from 'react';
import { onQuestion, openQuestion } from './step-up.ts';

/** Shows the second-factor prompt, above all pages and dialogs. */
export function StepUpHost() {
  const question = useSyncExternalStore(onQuestion, openQuestion);
  return question && <question.Dialog onAnswer={question.answer} />;
}
