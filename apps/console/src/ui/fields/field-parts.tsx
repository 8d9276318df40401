import type { ReactNode } from 'react';
import { FieldError, Text } from 'react-aria-components';

/** All fields of a form: label above, help and error below. */
export const field = 'flex flex-col gap-1';
export const label = 'text-xs font-medium text-text';
export const inputLook =
  'w-full rounded-sm border border-control bg-raised px-3 py-1.5 text-sm text-text placeholder:text-muted min-h-9 max-sm:min-h-11 ' +
  'focus:border-accent data-[invalid]:border-bad disabled:opacity-60';

export interface Around {
  readonly label: string;
  readonly help?: ReactNode;
  /** The server's error. */
  readonly error?: string | undefined;
}

/** A field with a server's error is marked, but the browser still submits its form, so that a corrected value is sent. */
export const marked = (error: string | undefined) =>
  error === undefined ? ({ isInvalid: false } as const) : ({ isInvalid: true, validationBehavior: 'aria' } as const);

export function Below({ help, error }: Pick<Around, 'help' | 'error'>) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className="text-xs text-muted">
          {help}
        </Text>
      )}
      <FieldError className="text-xs text-bad">{error}</FieldError>
    </>
  );
}

/** An item of a menu or of a list to choose from. */
export const itemLook =
  'flex min-h-9 max-sm:min-h-11 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-sm text-text outline-none data-[focused]:bg-accent-soft data-[disabled]:opacity-50';
