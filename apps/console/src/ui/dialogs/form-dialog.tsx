import { type ReactNode, useId, useState } from 'react';
import { fieldErrors, refusedFields } from '../../api/form-errors.ts';
import { useMessages } from '../../messages/index.ts';
import { Button } from '../button.tsx';
import { ErrorNote } from '../states.tsx';
import { useSending } from '../use-sending.ts';
import { Dialog } from './dialog.tsx';

interface FormState {
  /** The server's error for a field, by its path in the body, or for an item of the field. */
  readonly errorOf: (path: string) => string | undefined;
  /** Whether the user has tried to send the form, so that fields show what is missing. */
  readonly isChecked: boolean;
  readonly isPending: boolean;
}

interface FormDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly submitLabel: string;
  /** Sends the form, and closes the dialog when it is done. If it rejects, the dialog shows the error. */
  readonly onSubmit: () => Promise<unknown>;
  /** Whether the required fields are filled in. Without it, the browser checks them. */
  readonly isComplete?: boolean;
  /** The form cannot be sent yet. */
  readonly isDisabled?: boolean;
  /** The form waits for something that it needs. */
  readonly isLoading?: boolean;
  readonly look?: 'primary' | 'danger';
  readonly size?: 'normal' | 'wide';
  /** Replaces the button that closes the dialog. */
  readonly back?: { readonly label: string; readonly onPress: () => void } | undefined;
  /** An error from elsewhere, shown while the form has none. */
  readonly otherError?: unknown;
  readonly children: ReactNode | ((form: FormState) => ReactNode);
}

/** A dialog with a form, and buttons to cancel or send it. An error that no field shows is shown above the fields. */
export function FormDialog({
  title,
  onClose,
  submitLabel,
  onSubmit,
  isComplete,
  isDisabled = false,
  isLoading = false,
  look = 'primary',
  size = 'normal',
  back,
  otherError = null,
  children,
}: FormDialogProps) {
  const { common } = useMessages();
  const id = useId();
  const [isChecked, setChecked] = useState(false);
  const { isPending, error, send } = useSending(onSubmit);
  const errors = Object.entries(fieldErrors(error));
  const shown = new Set<string>();
  const errorOf = (field: string) => {
    const found = errors.find(([path]) => path === field || path.startsWith(`${field}.`));
    if (found !== undefined) shown.add(found[0]);
    return found?.[1];
  };
  const content = typeof children === 'function' ? children({ errorOf, isChecked, isPending }) : children;
  const isShown = errors.length > 0 && errors.every(([path]) => shown.has(path));
  const errorAbove = (isShown ? null : error) ?? otherError;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      size={size}
      footer={
        <>
          <Button onPress={back?.onPress ?? onClose}>{back?.label ?? common.cancel}</Button>
          <Button type="submit" form={id} look={look} isPending={isPending || isLoading} isDisabled={isDisabled}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate={isComplete !== undefined}
        onSubmit={(event) => {
          event.preventDefault();
          // React would also bubble the event to a form that the dialog was opened from.
          event.stopPropagation();
          setChecked(true);
          if (isComplete !== false && !isDisabled && !isLoading) send();
        }}
        className="flex flex-col gap-4"
      >
        {errorAbove !== null && <ErrorNote error={errorAbove} text={refusedFields(errorAbove)} />}
        {content}
      </form>
    </Dialog>
  );
}
