import { shortcuts } from './en/shell/shortcuts.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the list of shortcuts, and with Ctrl+K. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof shortcuts>> = { en: shortcuts };

/** The texts about keyboard shortcuts, in the chosen language. */
export function useShortcutMessages(): typeof shortcuts {
  useMessages();
  return TEXTS[chosenLanguage()];
}
