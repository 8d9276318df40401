import { entry } from './en/entry.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

export type EntryMessages = typeof entry;

/** Loaded with the first page before signing in, or of the first run. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, EntryMessages>> = { en: entry };

/** The texts of signing in and of the first run in the chosen language. */
export function useEntryMessages(): EntryMessages {
  useMessages();
  return TEXTS[chosenLanguage()];
}
