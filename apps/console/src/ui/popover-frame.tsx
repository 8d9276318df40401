import type { ReactNode, RefObject } from 'react';
import { Popover } from 'react-aria-components';

interface Props {
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  /** The width and what else differs. */
  readonly className: string;
  readonly children: ReactNode;
}

/** An opened frame below the button that has opened it. */
export function PopoverFrame({ trigger, onClose, className, children }: Props) {
  return (
    <Popover
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      placement="bottom start"
      className={`rounded-md border border-line bg-raised shadow-raised ${className}`}
    >
      {children}
    </Popover>
  );
}
