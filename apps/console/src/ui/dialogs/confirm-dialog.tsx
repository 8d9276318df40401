import type { ReactNode } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button } from '../button.tsx';
import { ErrorNote } from '../states.tsx';
import { useSending } from '../use-sending.ts';
import { focusContentIfLost } from './after-dialog.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly confirmLabel: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** If it rejects, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<unknown> | void;
  readonly isDanger?: boolean;
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({ title, text, confirmLabel, isOpen, onClose, onConfirm, isDanger = true }: ConfirmProps) {
  const { common } = useMessages();
  const {
    isPending,
    error,
    send: confirm,
  } = useSending(async () => {
    await onConfirm();
    onClose();
    focusContentIfLost();
  });
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button look={isDanger ? 'danger' : 'primary'} isPending={isPending} onPress={() => confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div>{text}</div>
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}
