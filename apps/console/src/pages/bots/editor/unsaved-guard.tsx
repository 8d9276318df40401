import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../../../messages/index.ts';
import { currentSession } from '../../../session/session-state.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';

interface Props {
  readonly isDirty: boolean;
  /** What would be lost. Without it, changes on the page. */
  readonly texts?: { readonly title: string; readonly text: string; readonly confirm: string };
}

/** Asks before unsaved changes are left, also when the tab is closed. */
export function UnsavedGuard({ isDirty, texts }: Props) {
  const { common } = useMessages();
  const ended = { title: common.endedTitle, text: common.endedText, confirm: common.discard };
  const unsaved = texts ?? { title: common.discardTitle, text: common.discardText, confirm: common.discard };
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const { title, text, confirm } = currentSession() === 'signed-out' ? ended : unsaved;
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={confirm}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
