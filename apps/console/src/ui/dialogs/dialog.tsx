import type { ReactNode } from 'react';
import { Window, type WindowProps } from './window.tsx';

interface DialogProps extends WindowProps {
  readonly size?: 'normal' | 'wide';
  /** The buttons at the bottom. */
  readonly footer?: ReactNode;
}

/** A modal window in the middle of the page. */
export function Dialog({ children, footer, size = 'normal', ...props }: DialogProps) {
  const looks = {
    overlay: 'items-center justify-center p-4 max-sm:items-end max-sm:p-0',
    modal: `flex max-h-full flex-col overflow-hidden rounded-lg border max-sm:rounded-b-none ${size === 'wide' ? 'max-w-4xl' : 'max-w-lg'}`,
    dialog: 'min-h-0',
  };
  return (
    <Window {...props} looks={looks}>
      <div className="flex min-h-0 flex-col gap-4 overflow-auto p-5">{children}</div>
      {footer !== undefined && <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>}
    </Window>
  );
}
