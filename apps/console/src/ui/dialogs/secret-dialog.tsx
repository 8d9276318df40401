import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly label: string;
  readonly secret: string;
  readonly doneLabel: string;
  readonly onClose: () => void;
}

/** Shows a secret that the server returns only once. */
export function SecretDialog({ title, text, label, secret, doneLabel, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose} autoFocus>
          {doneLabel}
        </Button>
      }
    >
      <div className="text-sm">{text}</div>
      <CodeBlock label={label} code={secret} />
    </Dialog>
  );
}
