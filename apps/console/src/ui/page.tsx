import { type ReactNode, useEffect } from 'react';
import { useMessages } from '../messages/index.ts';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** A picture before the title. */
  readonly icon?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** For pages with wide tables. */
  readonly isWide?: boolean;
}

/** A page with its title, which is also the title of the document. */
export function Page({ title, icon, description, actions, children, isWide = false }: PageProps) {
  useTitle(title);
  return (
    <div className={`mx-auto flex w-full flex-col gap-5 px-6 py-6 max-sm:px-4 ${isWide ? 'max-w-7xl' : 'max-w-5xl'}`}>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        {/* With a basis, a long description does not push the buttons below it. */}
        <div className="flex min-w-0 grow basis-80 items-center gap-4">
          {icon}
          <div className="min-w-0">
            <h1 className="text-xl font-semibold">{title}</h1>
            {description !== undefined && <p className="mt-1 text-sm text-muted">{description}</p>}
          </div>
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  const { common } = useMessages();
  useEffect(() => {
    document.title = `${title} · ${common.appName}`;
  }, [title, common.appName]);
}

/** A part of a page with a heading. */
export function Section({ title, description, actions, children }: Omit<PageProps, 'isWide' | 'icon'>) {
  return (
    <section className="flex flex-col gap-3 rounded-md border border-line bg-raised p-5 max-sm:p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 grow">
          <h2 className="text-md font-semibold">{title}</h2>
          {description !== undefined && <p className="text-xs text-muted">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
