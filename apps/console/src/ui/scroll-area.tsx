import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Contains a long list whose field keeps the focus. It can be reached with Tab, so that the list can be scrolled without a mouse. */
export function ScrollArea({ label, className, children }: Props) {
  return (
    <div role="group" aria-label={label} tabIndex={0} className={`min-h-0 overflow-y-auto rounded-sm ${className}`}>
      {children}
    </div>
  );
}
