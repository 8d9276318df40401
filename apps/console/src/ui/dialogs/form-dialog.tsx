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
  /** The form cannot be sent yet. */
  readonly isDisabled?: boolean;
  readonly look?: 'primary' | 'danger';
  readonly size?: 'normal' | 'wide';
  /** Replaces the button that closes the dialog. */
  readonly back?: { readonly label: string; readonly onPress: () => void } | undefined;
  /** The form's error, shown above the fields; null for none. */
  readonly error: unknown;
  /** Sends the form even if the browser considers a field invalid. */
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a form, and buttons to cancel or send it. */
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
          // React would also bubble the event to a form that the dialog was opened from.
          event.stopPropagation();
          // Enter in a form's only field submits it even while its button is pending.
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
