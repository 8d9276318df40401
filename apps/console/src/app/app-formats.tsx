import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { locale, useMessages } from '../messages/index.ts';

/** Gives React Aria's fields the formats and the direction of the texts instead of the browser's. */
export function AppFormats({ children }: { readonly children: ReactNode }) {
  useMessages();
  return <I18nProvider locale={locale()}>{children}</I18nProvider>;
}
