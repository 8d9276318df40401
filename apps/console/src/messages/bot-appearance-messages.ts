import { appearance } from './en/bots/appearance.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the form of a bot. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof appearance>> = { en: appearance };

/** The texts about the icon and the colour of a bot, in the chosen language. */
export function useBotAppearanceMessages(): typeof appearance {
  useMessages();
  return TEXTS[chosenLanguage()];
}
