import { palette } from './en/shell/palette.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded when Ctrl+K is first pressed. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof palette>> = { en: palette };

/** The texts of the dialog that Ctrl+K opens, in the chosen language. */
export function usePaletteMessages(): typeof palette {
  useMessages();
  return TEXTS[chosenLanguage()];
}
