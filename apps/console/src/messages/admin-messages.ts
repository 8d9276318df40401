import { use } from 'react';
import { useAdminPageNames } from './admin-page-names.ts';
import { administration } from './en/administration.ts';
import { chosenLanguage, useMessages } from './index.ts';
import { CATALOGUES, type Language } from './languages.ts';
import type { Administration, Messages, TextGroups } from './translation.ts';

export type AdminMessages = Messages & { readonly admin: Administration & { readonly pages: TextGroups['adminPages'] } };

const loading = new Map<Language, Promise<Administration>>();

/** The same promise for all calls, as React needs it. A failed attempt is made again by the next call. */
function load(language: Language): Promise<Administration> {
  const begun = loading.get(language);
  if (begun !== undefined) return begun;
  const promise = (async () => (await CATALOGUES[language]?.administration())?.administration ?? administration)();
  loading.set(language, promise);
  promise.catch(() => loading.delete(language));
  return promise;
}

let made: { readonly from: Messages; readonly all: AdminMessages } | null = null;

/** All texts of the chosen language, the administration's included. Suspends while they are loading. */
export function useAdminMessages(): AdminMessages {
  const from = useMessages();
  const pages = useAdminPageNames();
  const language = chosenLanguage();
  // Whether `use` is called must not depend on what is loaded: React calls a component that was suspended again, and counts its hooks.
  const texts = language === 'en' ? administration : use(load(language));
  if (made?.from !== from) made = { from, all: { ...from, admin: { ...texts, pages } } };
  return made.all;
}
