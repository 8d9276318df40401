import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useUnsavedMessages } from '../../../messages/unsaved-messages.ts';
import { currentSession } from '../../../session/session-state.ts';
import { askBeforeSignOut } from '../../../session/unsaved-changes.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';

interface Props {
  readonly isDirty: boolean;
  /** The texts of the dialog. By default, they are about unsaved changes on the page. */
  readonly texts?: { readonly title: string; readonly text: string; readonly confirm: string };
}

/** Asks before unsaved changes are lost by navigating away, signing out, or closing the tab. */
export function UnsavedGuard({ isDirty, texts }: Props) {
  const its = useUnsavedMessages();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const [answer, setAnswer] = useState<((mayLose: boolean) => void) | null>(null);
  useEffect(() => (isDirty ? askBeforeSignOut(() => new Promise((resolve) => setAnswer(() => resolve))) : undefined), [isDirty]);
  // Answers a question that the user can no longer answer.
  useEffect(() => () => answer?.(false), [answer]);
  const { title, text, confirm } = texts ?? { ...(currentSession() === 'signed-out' ? its.ended : its.changed), confirm: its.discard };
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={confirm}
      isOpen={answer !== null || blocker.status === 'blocked'}
      onClose={() => {
        setAnswer(null);
        blocker.reset?.();
      }}
      onConfirm={() => {
        answer?.(true);
        blocker.proceed?.();
      }}
    />
  );
}
