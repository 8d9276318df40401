import { unsaved } from './en/unsaved.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first form whose changes can be lost. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof unsaved>> = { en: unsaved };

/** The texts about unsaved changes in the chosen language. */
export function useUnsavedMessages(): typeof unsaved {
  useMessages();
  return TEXTS[chosenLanguage()];
}
