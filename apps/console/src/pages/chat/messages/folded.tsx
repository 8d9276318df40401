import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Content that is collapsed until its button is pressed. */
export function Folded({
  title,
  isOpen,
  children,
}: {
  readonly title: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details open={isOpen} className="group my-2 rounded-md border border-line">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-md px-3 text-xs text-muted hover:text-text max-sm:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform duration-150 group-open:rotate-90 rtl:-scale-x-100" />
        {title}
      </summary>
      <div className="border-t border-line px-3 py-2">{children}</div>
    </details>
  );
}
