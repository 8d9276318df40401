import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCurrentInView } from './use-current-in-view.ts';

export interface TabLink {
  readonly name: string;
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Pages that belong together, each with its own address. */
export function TabLinks({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }) {
  const list = useRef<HTMLElement>(null);
  useCurrentInView(list);
  return (
    <nav ref={list} aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line max-sm:flex-wrap max-sm:overflow-visible">
      {tabs.map(({ name, to, params }) => (
        <Link
          key={to}
          to={to as '/'}
          params={params as never}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px flex min-h-10 items-center border-b-2 max-sm:min-h-11 border-transparent px-3 text-sm whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
