import { admin } from './en/admin.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** The page names of the administration, loaded with its navigation. A language without them does not compile. */
const NAMES: Readonly<Record<Language, typeof admin.pages>> = { en: admin.pages };

export type AdminPageNames = typeof admin.pages;

export function useAdminPageNames(): AdminPageNames {
  // Renders again when another language is chosen.
  useMessages();
  return NAMES[chosenLanguage()];
}
