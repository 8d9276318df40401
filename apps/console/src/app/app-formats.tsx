import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { locale, useMessages } from '../messages/index.ts';

/** Fields of React Aria have the formats and the direction of the texts, not those of the browser. */
export function AppFormats({ children }: { readonly children: ReactNode }) {
  useMessages();
  return <I18nProvider locale={locale()}>{children}</I18nProvider>;
}
