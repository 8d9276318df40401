import type { ReactNode } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useTitle } from '../../ui/page.tsx';
import { LanguageMenu } from './language-menu.tsx';

/** The frame of the pages before signing in. */
export function EntryFrame({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { common } = useMessages();
  useTitle(title);
  return (
    <main className="flex min-h-full flex-col items-center justify-center gap-4 bg-surface p-4 max-sm:justify-start max-sm:bg-bg max-sm:pt-10">
      <p className="text-md font-semibold">{common.appName}</p>
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-lg border border-line bg-raised p-6 max-sm:border-0 max-sm:bg-transparent max-sm:p-2">
        <div>
          <h1 className="text-lg font-semibold">{title}</h1>
          {text !== undefined && <p className="mt-1 text-sm text-muted">{text}</p>}
        </div>
        {children}
      </div>
      <LanguageMenu />
    </main>
  );
}
