import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useIsPhone } from './use-is-phone.ts';

/** The element in the phone header that a page may fill with its own header. While it is empty, the product's name is shown. */
export const PHONE_HEADER_ID = 'phone-header';

/** The header of a page. On phones it is rendered into the shell's header, so that there is only one. */
export function PageHeader({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const slot = useIsPhone() ? document.getElementById(PHONE_HEADER_ID) : null;
  return slot === null ? (
    <header className={`${className} border-b border-line`}>{children}</header>
  ) : (
    createPortal(<div className={className}>{children}</div>, slot)
  );
}
