import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useIsPhone } from './use-is-phone.ts';

/** The element in the header of phones that a page may fill with its own header. Empty, it leaves its place to the name of the product. */
export const PHONE_HEADER_ID = 'phone-header';

/** The header of a page. On phones it is in the one of the frame, so that there is one. */
export function PageHeader({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const slot = useIsPhone() ? document.getElementById(PHONE_HEADER_ID) : null;
  return slot === null ? (
    <header className={`${className} border-b border-line`}>{children}</header>
  ) : (
    createPortal(<div className={className}>{children}</div>, slot)
  );
}
