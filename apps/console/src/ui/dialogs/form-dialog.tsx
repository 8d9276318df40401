import { type ReactNode, useId } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button } from '../button.tsx';
import { ErrorNote } from '../states.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  /** Nothing can be sent yet. */
  readonly isDisabled?: boolean;
  readonly look?: 'primary' | 'danger';
  readonly size?: 'normal' | 'wide';
  /** Instead of a button that closes the dialog. */
  readonly back?: { readonly label: string; readonly onPress: () => void } | undefined;
  /** The error of the whole form; null for none. It is shown above the fields. */
  readonly error: unknown;
  /** The form is also sent while the browser finds a field invalid. */
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a form, which its last line cancels or sends. */
export function FormDialog({
  title,
  isOpen = true,
  onClose,
  submitLabel,
  onSubmit,
  isPending,
  isDisabled = false,
  look = 'primary',
  size = 'normal',
  back,
  error,
  noValidate,
  children,
}: FormDialogProps) {
  const { common } = useMessages();
  const form = useId();
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      size={size}
      footer={
        <>
          <Button onPress={back?.onPress ?? onClose}>{back?.label ?? common.cancel}</Button>
          <Button type="submit" form={form} look={look} isPending={isPending} isDisabled={isDisabled}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault();
          // React passes it on to a form that the dialog was opened from.
          event.stopPropagation();
          // Enter in the only field of a form sends it, also while its button is pending.
          if (!isPending && !isDisabled) onSubmit();
        }}
        className="flex flex-col gap-4"
      >
        {error !== null && <ErrorNote error={error} />}
        {children}
      </form>
    </Dialog>
  );
}
